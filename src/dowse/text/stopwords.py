"""Which words carry no meaning in a question? They never decide a match or a rank on their own."""

# Left out of a ranking beside any other word: articles, conjunctions, prepositions, pronouns, modals and question words. That gave
# +.024 nDCG@10 on the mean of thirteen judged sets (docs/ranking.md); leaving out words of the trade (file, list, type) loses.
STOP_WORDS = frozenset(
    """
    a about also am an and any are as at be been being by could did does doing done from had have having he her him his how i in
    into it its just may me might must my of on onto or our s shall she should so some such t than that the their them then there
    these they this those to too us very was we were what when where which who whom whose why will with would you your
    """.split()
)

# Words that do mean something in code: they count, but little, beside words that say more.
LIGHT_WORDS = frozenset("for do if not is has can use used uses using".split())
