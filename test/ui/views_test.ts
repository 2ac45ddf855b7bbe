// The page of `memo ui` in a real browser. All views share one, since its start takes longer than most of the tests.

import "./views/accessibility.ts";
import "./views/hostile.ts";
import "./views/memories.ts";
import "./views/now.ts";
import "./views/page.ts";
import "./views/review.ts";
