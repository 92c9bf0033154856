"""The words and scenes of the mini world: twelve small stories, each told in six steps.

A line is one way to tell a step. It is read like this:

    {name}      who the document is about: "Anna", "Tom" or "the twins"
    {he} {him} {his}    pronouns that agree with {name}
    [walks]     a verb that agrees with {name}: "walks", but "walk" for "the twins"
    [walks|runs]    one of these verbs
    {fish}      a word of the scene's list, drawn once a document: later steps name it again
    (look)      a word of the scene's list, drawn for this sentence alone
    (in|out)    one of these words, drawn for this sentence alone
    a           becomes "an" where the next word wants it

All words of a list are equally likely. A line may open with a time word of its step ("Then",
"After that"), unless it begins with !.

Six words have two senses, each at home in scenes of its own: bank, bass, mouse, spring, bat and
seal. This file holds data only, which is why it is as long as it is.

Read before this: ../corpora.py. Read next: grammar.py
"""

from dataclasses import dataclass

NAMES = {
    "man": "Tom Ben Omar Paul Leo Karim",
    "woman": "Anna Lena Aisha Mary Sara Emma",
    "group": "twins children sisters brothers students friends",
}

PRONOUNS = {
    "man": {"he": "he", "him": "him", "his": "his"},
    "woman": {"he": "she", "him": "her", "his": "her"},
    "group": {"he": "they", "him": "them", "his": "their"},
}

# Lists that every scene may use.
SHARED_LISTS = {
    "friend": "sister brother uncle aunt father mother",
    "calmly": "quietly patiently silently happily",
    "anyhow": "quickly slowly silently quietly suddenly",
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
}

# How a sentence of each step may open, with probabilities.
OPENERS = (
    ((0.4, ""), (0.2, "today"), (0.4, "on (day)")),
    ((0.4, ""), (0.6, "(first|now)")),
    ((0.4, ""), (0.6, "(then|next)")),
    ((0.4, ""), (0.4, "(soon|then)"), (0.2, "after that")),
    ((0.4, ""), (0.4, "(later|now)"), (0.2, "after that")),
    ((0.4, ""), (0.3, "finally"), (0.2, "at last"), (0.1, "in the end")),
)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A story: its lists of words, its steps, and the sense its ambiguous words have."""

    name: str
    senses: dict[str, str]  # ambiguous word -> sense in this scene
    lists: dict[str, str]  # name of a list -> its words
    steps: tuple[tuple[str, ...], ...]  # for each step, the ways to tell it


SCENES = (
    Scene(
        name="river",
        senses={"bank": "river side", "bass": "fish"},
        lists={
            "ground": "green muddy steep quiet flat wet",
            "look": "big small heavy young old fat",
            "depth": "cold clear deep dark green quiet",
            "water": "river stream lake canal",
            "fish": "bass trout perch",
            "tool": "net bucket basket",
        },
        steps=(
            (
                "{name} [walks|runs|goes] along the (ground) bank of the {water} .",
                "{name} [wants|tries] to catch a {fish} in the {water} .",
                "{name} [takes|brings|carries] {his} {tool} to the (ground) bank .",
            ),
            (
                "{he} [finds|likes|wants] a (dry|flat|quiet|green|warm) place on the bank .",
                "{he} [puts|lays|drops] {his} {tool} on the (ground) bank .",
                "{his} {friend} looks for a {fish} in the (depth) {water} .",
            ),
            (
                "{he} [throws] {his} (line|hook|bait) into the (depth) {water} .",
                "{he} [waits|watches] (calmly) on the bank for a {fish} .",
                "{his} {friend} (waits|looks) (calmly) for a {fish} .",
            ),
            (
                "a (look) {fish} (bites|swims|jumps) near the bank .",
                "the {fish} pulls (hard|suddenly|quickly) on {his} (line|hook|bait) .",
                "{his} {friend} (sees|finds|notices) a (look) {fish} in the {water} .",
            ),
            (
                "{he} [pulls|lifts|throws] the (look) {fish} onto the bank .",
                "{he} [lifts|takes] the {fish} out of the (depth) {water} .",
                "{his} {friend} (puts|throws) the (look) {fish} into a {tool} .",
            ),
            (
                "{he} [lets] the {fish} swim back into the (depth) {water} .",
                "{he} [eats|cleans] the {fish} with {his} {friend} on the bank .",
                "{he} [carries|takes|brings] the (look) {fish} home in {his} {tool} .",
            ),
        ),
    ),
    Scene(
        name="money",
        senses={"bank": "money house"},
        lists={
            "size": "small large cheap new second",
            "thing": "car house shop boat",
            "clerk": "clerk manager cashier",
            "papers": "papers contract form",
        },
        steps=(
            (
                "{name} [goes|walks|runs] to the (old|big|new|small|good) bank in town .",
                "{name} [needs|wants] money from the bank for a (new|small|cheap|second) {thing} .",
                "{name} [waits] (calmly) in a (long|short|slow) queue at the bank .",
            ),
            (
                "{he} [asks] the {clerk} for a (size) loan .",
                "the {clerk} of the bank (greets|thanks) {him} (kindly|quickly|quietly) .",
                "{he} [tells|asks] the {clerk} about a (new|small|cheap|second) {thing} .",
            ),
            (
                "the {clerk} (checks|sees|reads) {his} (savings|debts) on a screen .",
                "{his} bank (wants|checks) the (price|size) of the {thing} .",
                "{he} [asks|tells] the bank about {his} (savings|debts) .",
            ),
            (
                "the {clerk} (brings|prints|finds) the {papers} for a (size) loan .",
                "the bank (lends|gives) {him} money for the {thing} .",
                "{he} [reads|checks] the {papers} of {his} bank (anyhow) .",
            ),
            (
                "{he} [signs|reads] the {papers} and [pays] the first (fee|bill) .",
                "the {clerk} counts (coins|notes) at the bank (slowly|carefully|quickly) .",
                "{he} [gives|brings|sends] the {papers} back to {his} bank .",
            ),
            (
                "{he} [leaves] the bank with money in {his} (pocket|bag|wallet) .",
                "{he} [buys|gets] the {thing} with money from {his} bank .",
                "{he} [thanks] the {clerk} and [puts] money into {his} (pocket|bag|wallet) .",
            ),
        ),
    ),
    Scene(
        name="band",
        senses={"bass": "instrument"},
        lists={
            "look": "black heavy old long big new",
            "instrument": "guitar piano violin trumpet",
            "hall": "hall club church theatre",
            "event": "concert party wedding",
        },
        steps=(
            (
                "{name} [plays] bass in a (small|young|new|good|big) band .",
                "{name} [brings|carries|takes] {his} bass to a {event} in the {hall} .",
                "{name} [visits] {his} band at the {hall} before a {event} .",
            ),
            (
                "{he} [takes|lifts|pulls] {his} bass out of a (look) case .",
                "{he} [checks|cleans|holds] {his} bass beside the {instrument} .",
                "{his} {friend} (carries|brings|takes) a {instrument} and a bass into the {hall} .",
            ),
            (
                "a (singer|drummer) (counts|listens|waits) and the {event} starts .",
                "{he} [plays|tries] a (slow|low|deep|long) note on {his} bass .",
                "the {instrument} starts and {his} bass follows (softly|loudly|slowly|quickly) .",
            ),
            (
                "the (slow|low|deep) sound of {his} bass fills the {hall} .",
                "the {instrument} (plays|sings) (softly|loudly|slowly|quickly) over {his} bass .",
                "a (singer|drummer) (likes|hears|follows) {his} bass and the {instrument} .",
            ),
            (
                "people in the {hall} (dance|sing|clap) to the (music|song) .",
                "{he} [plays|starts] a (long|short|fast|slow) solo on {his} bass .",
                "{his} {friend} (likes|loves|hears) the bass and the {instrument} .",
            ),
            (
                "people (dance|sing|clap) and the {event} ends with a (song|solo) .",
                "{he} [puts|lays] {his} bass back into a (look) case .",
                "{he} [carries|takes|brings] {his} bass and the {instrument} home .",
            ),
        ),
    ),
    Scene(
        name="barn",
        senses={"mouse": "animal"},
        lists={
            "look": "small grey brown hungry young fat",
            "make": "small wooden new old good big",
            "room": "barn cellar kitchen stable",
            "food": "cheese corn bread",
            "hunter": "cat dog kitten",
        },
        steps=(
            (
                "{name} [sees|notices|finds] a (look) mouse in the {room} .",
                "{name} [hears|sees|finds] a mouse under the (floor|straw|table) .",
                "a (look) mouse (runs|jumps) past {name} in the {room} .",
            ),
            (
                "the mouse (runs|jumps) (anyhow) under the (floor|straw|table) .",
                "the mouse (takes|finds) some {food} from a (bag|box|shelf) .",
                "{he} [shows] {his} {friend} the (look) mouse .",
            ),
            (
                "{he} [puts|lays] some {food} into a (make) trap .",
                "{he} [calls|brings] {his} {hunter} because of the mouse .",
                "{his} {friend} (brings|buys) a (make) trap for the mouse .",
            ),
            (
                "{his} {hunter} (waits|sits|listens) (calmly) in the {room} .",
                "the mouse (smells|sees|wants) some {food} in the (make) trap .",
                "the (look) mouse (sees|hears|smells) {his} {hunter} .",
            ),
            (
                "{his} {hunter} jumps but the mouse (runs|jumps) into its hole .",
                "the mouse eats {food} with its (sharp|tiny|white) teeth .",
                "the (look) mouse leaves the {room} with some {food} .",
            ),
            (
                "{he} [catches|finds] the mouse and [carries] it into a (field|forest) .",
                "{he} [closes|fills] a hole in the {room} with (stones|earth) .",
                "{his} {hunter} sleeps and the (look) mouse eats {food} .",
            ),
        ),
    ),
    Scene(
        name="office",
        senses={"mouse": "device"},
        lists={
            "quality": "new better second good small cheap",
            "length": "long short new old secret big",
            "computer": "computer laptop",
            "file": "letter report story",
            "colleague": "colleague boss secretary",
        },
        steps=(
            (
                "{name} [starts|opens] {his} {computer} on a (big|white|wooden|small) desk .",
                "{name} [writes|opens|reads] a (length) {file} on {his} {computer} .",
                "{name} [opens|finds] a (length) {file} with {his} mouse .",
            ),
            (
                "{he} [moves|pushes|turns] {his} mouse but the (arrow|window) stands still .",
                "the (old|black|cheap|small|new|white) mouse of the {computer} is (broken|dirty) .",
                "{he} [clicks] on the {file} but {his} mouse is (broken|dirty) .",
            ),
            (
                "{he} [checks|cleans] the (battery|cable|button) of {his} mouse .",
                "{he} [cleans] {his} mouse with a (soft|dry|wet) cloth .",
                "{he} [asks] {his} {colleague} for a (quality) mouse .",
            ),
            (
                "{his} {colleague} (brings|buys|finds) a (quality) mouse for the {computer} .",
                "{he} [brings|gets|wants] a (quality) mouse for {his} {computer} .",
                "{his} {colleague} (puts|pushes) a (quality) battery into the mouse .",
            ),
            (
                "{he} [clicks] on the {file} with the (left|right) mouse button .",
                "the arrow follows {his} mouse across the (screen|window) .",
                "{he} [moves|pulls|pushes] the {file} to the (left|right) with {his} mouse .",
            ),
            (
                "{he} [prints|saves|closes] the {file} and [thanks] {his} {colleague} .",
                "{he} [saves|prints] the {file} and [closes] {his} {computer} .",
                "{he} [sends|shows|gives] the (length) {file} to {his} {colleague} .",
            ),
        ),
    ),
    Scene(
        name="garden",
        senses={"spring": "season"},
        lists={
            "weather": "warm cold soft fresh",
            "border": "wall fence path",
            "flower": "roses tulips lilies daisies",
            "colour": "red yellow white",
            "spade": "spade fork shovel",
        },
        steps=(
            (
                "!in spring {name} [plants|buys|sells] {colour} {flower} with {his} {friend} .",
                "!every spring {name} [buys|wants|plants] {colour} {flower} for {his} {friend} .",
                "!{name} [works|digs|sits] in {his} garden every (warm|wet|fresh) spring .",
            ),
            (
                "{he} [digs|works] in the (dark|wet|soft) earth with a {spade} .",
                "{his} {friend} (brings|buys|holds) some {colour} {flower} and a {spade} .",
                "{he} [likes|loves|smells] the (weather) spring air in {his} garden .",
            ),
            (
                "{he} [plants|puts|lays] the {flower} beside a (border) .",
                "{he} [puts|pushes] the {flower} into the (dark|wet|soft) spring earth .",
                "{his} {friend} (plants|waters|likes) some {colour} {flower} beside a (border) .",
            ),
            (
                "{he} [waters|checks|visits] {his} {flower} every spring (morning|day) .",
                "the (warm|soft|fresh) spring rain falls on the {colour} {flower} .",
                "the (warm|fresh|first) spring sun shines on {his} {colour} {flower} .",
            ),
            (
                "the {colour} {flower} (grow|open) (quickly|slowly) in the (weather) spring air .",
                "the (bees|birds|butterflies) of spring (visit|like|love) {his} {flower} .",
                "the first {flower} of spring (open|grow|shine) in the (sun|rain|garden) .",
            ),
            (
                "{he} [cuts|picks] some {colour} {flower} and [gives] them to {his} {friend} .",
                "{his} (whole|green|small) garden smells of {flower} and of spring .",
                "{he} [sells|shows] {his} {colour} {flower} at the spring market .",
            ),
        ),
    ),
    Scene(
        name="workshop",
        senses={"spring": "metal coil"},
        lists={
            "quality": "new strong stiff good long small",
            "state": "broken heavy big small old new",
            "machine": "clock watch bicycle toy",
            "metal": "steel copper brass",
            "tool": "hammer screwdriver wrench",
        },
        steps=(
            (
                "{name} [opens|repairs|cleans] a (state) {machine} in {his} workshop .",
                "{name} [finds|sees|notices] a broken spring in {his} {machine} .",
                "{name} [repairs|checks] the {metal} spring of a (state) {machine} .",
            ),
            (
                "{he} [pulls|turns|checks] the (rusty|bent|old|small) spring with a {tool} .",
                "the {metal} spring of the {machine} is (rusty|bent|old|dirty|broken) .",
                "{he} [needs|wants|finds] a {tool} and a (quality) spring .",
            ),
            (
                "{he} [looks] for a (quality) spring in a (drawer|box) .",
                "{he} [makes|wants] a (quality) spring from {metal} wire .",
                "{he} [buys|gets|finds|wants] a {metal} spring for {his} {machine} .",
            ),
            (
                "{he} [presses|pushes|puts] the {metal} spring into {his} {machine} .",
                "{he} [puts|drops] some oil on the (quality) spring .",
                "{his} {friend} (holds|takes|checks) the {machine} and the {metal} spring .",
            ),
            (
                "{he} [turns|checks|cleans] the (screws|wheels) with a {tool} .",
                "the (quality) spring (moves|turns|pulls) the wheels of the {machine} .",
                "{he} [closes] {his} {machine} over the {metal} spring .",
            ),
            (
                "the {machine} (works|runs|moves) (quickly|quietly|slowly) with the new spring .",
                "{he} [shows|gives] {his} {friend} the {machine} with a new spring .",
                "{he} [puts|throws] the old spring into a (drawer|box) .",
            ),
        ),
    ),
    Scene(
        name="cave",
        senses={"bat": "animal"},
        lists={
            "look": "small brown black young old hungry",
            "air": "dark cold old deep quiet wet",
            "cave": "cave tower tunnel church",
            "light": "torch lamp candle",
            "insect": "moth fly beetle",
        },
        steps=(
            (
                "{name} [visits|leaves] a (air) {cave} with {his} {light} .",
                "{name} [sees|notices|finds] a (look) bat in a {cave} .",
                "{name} [walks|goes|runs] to a {cave} with {his} {friend} .",
            ),
            (
                "a (look) bat (hangs|sleeps|sits) near the (roof|floor) .",
                "{he} [hears|sees] the (soft|quick|quiet) wings of a bat .",
                "{his} {friend} (finds|sees|notices) a (look) bat with a {light} .",
            ),
            (
                "{he} [holds|lifts] {his} {light} and [looks] at the bat .",
                "the bat (opens|moves|hides) its (wings|eyes|ears) because of the {light} .",
                "{he} [shows] {his} {friend} the (wings|eyes|ears|teeth) of the bat .",
            ),
            (
                "the bat (flies|hunts|moves) (anyhow) around the {cave} .",
                "the (look) bat (hunts|hears|follows) a {insect} in the {cave} .",
                "the bat hears a {insect} with its (big|sharp|small) ears .",
            ),
            (
                "the bat (catches|bites|holds) the {insect} with its (sharp|tiny|white) teeth .",
                "the bat eats the {insect} (anyhow) under the (roof|stars) .",
                "the {insect} (flies|turns) away from the (look) bat .",
            ),
            (
                "the bat flies back into its {cave} before (dawn|morning) .",
                "{he} [leaves] and [tells] {his} {friend} about the (look) bat .",
                "the (look) bat (sleeps|hangs|sits) (quietly|silently) in its {cave} .",
            ),
        ),
    ),
    Scene(
        name="match",
        senses={"bat": "wooden club"},
        lists={
            "make": "wooden new heavy old good big",
            "sport": "cricket baseball",
            "field": "field park yard stadium",
            "captain": "captain coach bowler",
        },
        steps=(
            (
                "{name} [plays|watches] {sport} in a {field} with {his} {friend} .",
                "{name} [takes|brings|carries] a (make) bat to the {field} .",
                "{name} [buys|finds|wants] a (make) bat for a {sport} match .",
            ),
            (
                "{he} [holds|lifts|shows] {his} bat and [watches] the {captain} .",
                "{he} [takes] {his} bat and [walks] to the (line|middle) of the {field} .",
                "the {captain} (gives|brings|shows) {him} a (make) bat .",
            ),
            (
                "the {captain} (throws|sends) a ball (hard|fast|high) towards {his} bat .",
                "{his} {friend} (throws|catches|drops) a (red|white|small) ball in the {field} .",
                "a (red|white|small) ball (comes|flies) towards {him} across the {field} .",
            ),
            (
                "{he} [swings|lifts|turns] {his} bat and [hits] the ball (hard|fast|high) .",
                "{he} [swings|moves] {his} bat too (late|low|high|fast) and [misses] .",
                "{his} (make) bat (hits|misses) the (red|white|small) ball .",
            ),
            (
                "{he} [drops|throws] {his} bat and [runs] across the {field} .",
                "the (red|white|small) ball (flies|jumps) over a (fence|tree|wall) .",
                "the {captain} (runs|goes) after the (red|white|small) ball .",
            ),
            (
                "{his} team (wins|loses) the {sport} match by (two|three|ten) points .",
                "{he} [cleans|takes] {his} bat and [thanks] the {captain} .",
                "{he} [carries|takes|brings] {his} bat home with {his} {friend} .",
            ),
        ),
    ),
    Scene(
        name="sea",
        senses={"seal": "animal"},
        lists={
            "look": "young fat grey small old big",
            "make": "small red fast old white big",
            "shore": "beach island coast harbour",
            "prey": "herring crab squid",
            "boat": "boat ship ferry",
        },
        steps=(
            (
                "{name} [sails|goes|comes] to the {shore} in a (make) {boat} .",
                "{name} [watches|sees|finds] a (look) seal on the {shore} .",
                "{name} [visits|watches] a seal on the {shore} with {his} {friend} .",
            ),
            (
                "the (look) seal (lies|sleeps|sits) in the (sand|sun) .",
                "{he} [sees|notices] the (black|wet|round|big|small) head of a seal .",
                "{his} {friend} (finds|sees|follows) a (look) seal behind the {boat} .",
            ),
            (
                "the seal (swims|dives) (anyhow) around the {boat} .",
                "{he} [throws|drops] a {prey} into the (cold|blue|green|deep) sea .",
                "the (look) seal (hunts|follows|smells) a {prey} in the sea .",
            ),
            (
                "the seal (catches|bites) the {prey} under the (cold|blue|green) waves .",
                "the {prey} (swims|hides) but the seal follows (anyhow) .",
                "the (look) seal (brings|carries|takes) the {prey} to the {shore} .",
            ),
            (
                "the seal (eats|drops|holds) the {prey} on a (flat|wet|warm) rock .",
                "the seal (gives|brings|shows) its (pup|mother) a {prey} .",
                "{his} {friend} (watches|likes|loves) the (look) seal on the {shore} .",
            ),
            (
                "{he} [takes] a picture of the (look) seal .",
                "the seal (sleeps|lies|sits) on the (sand|rocks) of the {shore} .",
                "{his} {boat} leaves and the seal (dives|jumps|swims) into the (waves|sea) .",
            ),
        ),
    ),
    Scene(
        name="castle",
        senses={"seal": "stamp in wax"},
        lists={
            "length": "long short secret new old",
            "make": "royal silver heavy old round small",
            "ruler": "king queen judge duke",
            "paper": "letter contract message",
            "wax": "red black green blue",
        },
        steps=(
            (
                "{name} [writes|brings|reads] a (length) {paper} for the {ruler} .",
                "{name} [needs|wants|finds] the (make) seal of the {ruler} .",
                "{name} [works] at the (cold|old|new|big) castle of a {ruler} .",
            ),
            (
                "{he} [reads|signs|brings] the (length) {paper} at a (table|window) .",
                "{he} [melts] some {wax} wax over a (candle|fire|lamp) .",
                "{he} [takes|lifts] the (make) seal from a (table|shelf) .",
            ),
            (
                "{he} [drops|puts] some {wax} wax on the {paper} for a seal .",
                "{he} [presses|pushes] the (make) seal into the {wax} wax .",
                "{his} {friend} (holds|puts|lays) the {paper} under the (make) seal .",
            ),
            (
                "the {wax} wax under the seal is (warm|soft|wet|dry) .",
                "{his} seal shows a (lion|crown|tower) in the {wax} wax .",
                "{he} [waits] until the {wax} seal is (dry|hard|cold) .",
            ),
            (
                "a (rider|servant) (carries|brings|takes) the {paper} with its seal home .",
                "the {ruler} looks at the (lion|crown|tower) on the seal .",
                "{he} [brings|shows|gives] the {ruler} a {paper} with a {wax} seal .",
            ),
            (
                "the {ruler} (breaks|opens) the {wax} seal and reads the {paper} .",
                "the {ruler} (thanks|pays) {him} for the (length) {paper} .",
                "the {ruler} (hides|puts) the {paper} with the seal in a (box|drawer|cupboard) .",
            ),
        ),
    ),
    Scene(
        name="bakery",
        senses={},
        lists={
            "taste": "big sweet fresh small hot soft",
            "size": "hot old big small new",
            "cake": "cake pie pizza",
            "fruit": "apples cherries plums nuts",
            "liquid": "milk butter cream honey",
        },
        steps=(
            (
                "{name} [bakes|makes|buys] a (taste) {cake} for {his} {friend} .",
                "{name} [buys|gets|finds] flour and {fruit} at the (market|shop) .",
                "{name} [wants|likes|loves] a (taste) {cake} with {fruit} .",
            ),
            (
                "{he} [washes] {his} {fruit} and [cuts] them into (small|big|thin) pieces .",
                "{he} [mixes] flour with some {liquid} in a (bowl|pot) .",
                "{his} {friend} (brings|buys|gets) {liquid} and {fruit} from the (market|shop) .",
            ),
            (
                "{he} [puts|lays|drops] the {fruit} on {his} {cake} with some {liquid} .",
                "{he} [adds|takes] some {liquid} and some (sugar|salt) for the {cake} .",
                "{his} {friend} (mixes|eats) {fruit} with some {liquid} .",
            ),
            (
                "{he} [puts|pushes] {his} {cake} into the oven for (ten|twenty|thirty) minutes .",
                "the {cake} (stays|rises) in a (size) oven for (ten|twenty|thirty) minutes .",
                "{he} [watches|turns|checks] {his} {cake} in the (size) oven .",
            ),
            (
                "the (whole|small|big) kitchen smells of {fruit} and {liquid} .",
                "{he} [takes|pulls|lifts] {his} {cake} out of the (size) oven .",
                "the {cake} with {fruit} is (brown|hot|sweet|fresh|soft) .",
            ),
            (
                "{he} [eats|cuts] the (brown|hot|sweet|fresh|soft) {cake} with {his} {friend} .",
                "{he} [gives|brings] {his} {friend} a (big|small|warm|sweet) piece of {cake} .",
                "{he} [eats|tries] {his} {cake} and [drinks] some (tea|coffee|milk) .",
            ),
        ),
    ),
)
