/**
 * Offer the lesson without a network, or take the offer back. See sw.js.
 *
 * @param {boolean} wanted - false unregisters the service worker and deletes its copy
 * @param {string} [script] - address of sw.js
 * @returns {Promise<{keep: (runtime?: string[]) => void}>} `keep` asks for a copy of this page; give
 *   it the addresses of the runtime's files once Python has loaded them
 */
export async function offerOffline(wanted, script = 'sw.js') {
  const nothing = { keep() {} };
  const { serviceWorker } = navigator;
  if (!serviceWorker) return nothing; // plain http elsewhere than localhost, or switched off
  try {
    if (!wanted) {
      const there = await serviceWorker.getRegistration(script);
      await there?.unregister();
      await caches.delete('lesson');
      return nothing;
    }
    await serviceWorker.register(script);
    const { active } = await serviceWorker.ready;
    const page = new URL(location.pathname, location.href).href;
    return {
      keep: (runtime = []) => active?.postMessage({ type: 'keep', page, runtime }),
    };
  } catch (error) {
    console.info('offline copy:', error);
    return nothing;
  }
}
