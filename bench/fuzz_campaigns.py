"""Which campaigns are there?"""

from bench import fuzz_damage, fuzz_formats, fuzz_imports, fuzz_messages, fuzz_queries, fuzz_requests
from bench.fuzz_campaign import Campaign

CAMPAIGNS: dict[str, Campaign] = {
    module.CAMPAIGN.name: module.CAMPAIGN
    for module in (fuzz_queries, fuzz_formats, fuzz_requests, fuzz_messages, fuzz_imports, fuzz_damage)
}
