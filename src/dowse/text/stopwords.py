"""Which words carry no meaning in a question? They never decide a match or a rank on their own."""

# Articles, conjunctions, prepositions, pronouns, modals and question words. Words that mean something in code
# (for, do, if, not, is, has, can) stay. Chosen by the run in bench/quality (see docs/ranking.md).
STOP_WORDS = frozenset(
    """
    a an the and or but of with by from in to at on as into onto upon about against between through during before after above below
    it its he him his she her hers we us our ours they them their theirs i me my mine you your yours this that these those
    there here would could should shall may might must will am are was were be been being did does doing having had
    what which who whom whose when where why how than then so such
    """.split()
)
