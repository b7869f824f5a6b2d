"""Spanish words for the hand-made heads, with their features: enough for everyday toy sentences.

A word is a dict of features: sust, verbo, det, adj or func 1 (what it is); num 1 plural, −1
singular; gen 1 feminine, −1 masculine; anim 1 alive. Verbs are in the third person.
"""

from __future__ import annotations

MEN = "luis juan pedro carlos pablo david jorge hugo mateo diego"
WOMEN = "ana maría marta lucía carmen elena sofía laura julia rosa"
BEINGS = "niñ gat amig herman perr hij abuel maestr médic vecin alumn ti prim zorr lob"  # -o -a
FEMININE = """casa calle carta mesa puerta silla ventana ciudad escuela playa flor noche mañana
    tarde película lluvia fruta manzana pelota palabra frase cabeza llave bici luna luz rana"""
MASCULINE = """libro coche tren árbol parque jardín barco cuento cuaderno juego día sol mar pan
    queso plato vaso zapato reloj papel modelo token mapa ratón león pájaro pez caballo"""
ALIVE = {"rana", "ratón", "león", "pájaro", "pez", "caballo"}
IRREGULAR_PLURALS = {
    "jardín": "jardines", "ratón": "ratones", "león": "leones", "pez": "peces",
    "luz": "luces", "reloj": "relojes", "token": "tokens",
}  # fmt: skip
VERBS_AR = """cant llam habl mir salt compr llev camin cocin pregunt trabaj escuch estudi abraz
    bail dibuj ayud esper gan gust lleg mostr pas prest regal termin tom us viaj busc lav"""
VERBS_ER_IR = "com beb corr viv escrib abr sal respond aprend vend comprend recib sub met romp"
VERBS = """es son · era eran · fue fueron · está están · estaba estaban · estuvo estuvieron ·
    ha han · había habían · tiene tienen · tenía tenían · tuvo tuvieron · ve ven · veía veían ·
    vio vieron · va van · iba iban · duerme duermen · dormía dormían · durmió durmieron ·
    lee leen · leía leían · leyó leyeron · persigue persiguen · perseguía perseguían ·
    persiguió persiguieron · quiere quieren · quería querían · quiso quisieron · dice dicen ·
    decía decían · dijo dijeron · da dan · dio dieron · hace hacen · hizo hicieron · juega juegan ·
    jugó jugaron · jugaba jugaban · piensa piensan · pensó pensaron · ríe ríen · rió rieron ·
    cae caen · cayó cayeron · puede pueden · pudo pudieron · sabe saben · supo supieron ·
    vuelve vuelven · volvió volvieron · encontró encontraron · atiende atienden"""
ADJECTIVES = """cansad enferm content pequeñ negr blanc roj dormid alt baj buen mal bonit nuev
    viej larg cort ric list tranquil asustad enfadad perdid sol cerrad abiert llen vací
    limpi suci mojad preocupad sentad ocupad hambrient"""  # -o -a -os -as
ADJECTIVES_E = "grande triste alegre inteligente valiente verde amable fuerte"  # no gender
ADJECTIVES_FREE = {"feliz": "felices", "azul": "azules", "fácil": "fáciles", "joven": "jóvenes"}
DETERMINERS = """el -1 -1, la -1 1, los 1 -1, las 1 1, un -1 -1, una -1 1, unos 1 -1, unas 1 1,
    este -1 -1, esta -1 1, estos 1 -1, estas 1 1, ese -1 -1, esa -1 1, esos 1 -1, esas 1 1,
    mi -1 0, mis 1 0, tu -1 0, tus 1 0, su -1 0, sus 1 0, todo -1 -1, toda -1 1, todos 1 -1,
    todas 1 1"""
PRONOUNS = "él -1 -1, ella -1 1, ellos 1 -1, ellas 1 1"  # they stand for a noun: sust
FUNCTION = """a al ante con contra de del desde en entre hacia hasta para por según sin sobre que
    porque cuando donde como si y e o u ni pero aunque mientras se lo le les me te no sí muy más
    menos ya también tampoco siempre nunca hoy ayer aquí allí bien tan qué quién
    . , ; : … ¿ ? ¡ ! « » ( ) - — " ' """


def build() -> dict[str, dict[str, float]]:
    """The table, word by word; where a form could be two things, the first stays."""
    table: dict[str, dict[str, float]] = {}

    def add(word: str, num: int = 0, gen: int = 0, **features: float) -> None:
        agreement = {name: v for name, v in (("num", num), ("gen", gen)) if v}
        table.setdefault(word, {**features, **agreement})

    endings = (("o", -1, -1), ("a", -1, 1), ("os", 1, -1), ("as", 1, 1))
    for kind, text in (("det", DETERMINERS), ("sust", PRONOUNS)):
        for entry in text.split(","):
            word, num, gen = entry.split()
            add(word, int(num), int(gen), **{kind: 1})
    for word in FUNCTION.split():
        add(word, func=1)
    for names, gen in ((MEN, -1), (WOMEN, 1)):
        for name in names.split():
            add(name, -1, gen, sust=1, anim=1)
    for pair in VERBS.split("·"):
        for word, num in zip(pair.split(), (-1, 1), strict=True):
            add(word, num, verbo=1)
    for stems, forms in (
        (VERBS_AR, "a an ó aron aba aban"),
        (VERBS_ER_IR, "e en ió ieron ía ían"),
    ):
        for stem in stems.split():
            for i, form in enumerate(forms.split()):
                add(stem + form, 1 if i % 2 else -1, verbo=1)
    for stem in BEINGS.split():
        for end, num, gen in endings:
            add(stem + end, num, gen, sust=1, anim=1)
    for nouns, gen in ((FEMININE, 1), (MASCULINE, -1)):
        for noun in nouns.split():
            alive = {"anim": 1} if noun in ALIVE else {}
            plural = IRREGULAR_PLURALS.get(noun, noun + ("s" if noun[-1] in "aeio" else "es"))
            add(noun, -1, gen, sust=1, **alive)
            add(plural, 1, gen, sust=1, **alive)
    for stem in ADJECTIVES.split():
        for end, num, gen in endings:
            add(stem + end, num, gen, adj=1)
    for word in ADJECTIVES_E.split():
        add(word, -1, adj=1)
        add(word + "s", 1, adj=1)
    for word, plural in ADJECTIVES_FREE.items():
        add(word, -1, adj=1)
        add(plural, 1, adj=1)
    return table
