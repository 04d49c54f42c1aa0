/** Named patterns for phrases that are hard to skim. Text in backticks is replaced by `x` before matching. */
export const patterns: Record<string, RegExp> = {
  'clause as subject':
    /^(who|whoever|whatever|what|where|how|why)\b(?!['’]s)(?! (if|to)\b)[^?]*$|^(when|whether|that) (is|was|has)\b/i,
  'noun clause': /(?<!^)\bwhat (is|are|was|were|has|had|does|did|came|comes|goes|went|stays|remains|fits|belongs)\b/i,
  'whoever, nobody': /\b(whoever|whomever|whom|nobody|anybody|everybody|somebody)\b/i,
  'is no X': /(?<!\bthere )\b(is|are|was|were|be|takes?|knows?|wants?) no (?!longer|more\b)/i,
  'there is no X that': /\bthere (is|are|was|were) (no|none|nothing)( \w+){0,2} (that|who|which|to be|of)\b/i,
  'none, neither, nothing':
    /^(none|neither|nothing) \w+|\bnone (of|that|is|are)\b|\bnothing that\b|\bof which\b|\bno \w+ of (ours|theirs)\b/i,
  'told, hears, said': /\b(told|tells?|telling|heard|hears?|hearing|said|says?|saying)\b/i,
  'mend, heal': /\b(mend(s|ed|ing)?|heal(s|ed|ing)?)\b/i,
  'archaic word':
    /\b(anew|likewise|thereof|therein|thereby|thereafter|hence|whence|thence|hitherto|lest|save for|in vain|as good as|meanwhile|merely|solely|nought|anon|oneself|shall|ought|dwell\w*|borne|befall\w*|bids?|heed\w*|beget\w*)\b/i,
  'let go, hold on to':
    /\b(let(s|ting)? go|hold(s|ing)? on to|held on to|lies? (in|on|at|over|under|beside|between|there)|come(s)? to an end|broken? off|goes on\b|went on\b|gone by|brings? (forth|about))\b/i,
  'in its place': /\b(in|takes?|took|taking) (its|their) (stead|place)\b|\bstead\b|\bin the place of\b/i,
  'of its own': /\b(of (its|their|his|one['’]s) own|of (ours|theirs|hers|mine))\b/i,
  'for as because':
    /[,;:] for (it|they|that|there|he|she|we|this|these|those|not|only|what)\b|\bfor (it|they|there|that) (is|are|has|have|had|was|were|would|could|can|does)\b/i,
  'is to do': /\b(is|are|was|were) to (be )?(?!(the|a|an|its|\w+ing)\b)[a-z]+\b/i,
  'one that, those who':
    /\b(?<!no )ones? (that|who|which|whose)\b|\bthe ones?\b|\bthose (who|which|that)\b|\bthat which\b|\ball that\b|\bthe (former|latter)\b/i,
  'alone, but for': /(?<!\bleft |\bleave |\bleaves |\blet )\balone\b|\b(not but|but for|all but|save that)\b/i,
  stands: /\b(stands?|stood)\b(?! (for|in for|out|up)\b)/i,
  'may not': /\b(may not|need not|would have it|had better|were it|be it|so as not to)\b/i,
  'inverted order':
    /^(in|on|at|by|from|with|without|of|under|behind|beside|after|before|past|here|then|so|only|never|nor|thus|such) ([\w'’,-]+ ){0,4}?(is|are|comes?|goes|lies?|belongs?) (a|an|the|all|what|one|two|no|its|their|each|every)\b|^(there|here) (comes?|goes|lies?|stands?)\b/i,
  'private word':
    /\b(house|floors?|shelf|shelves|guests?|fate|believed|believes|everything told|plainest|whole of it)\b/i,
  'person for a program': /\b(he|him|himself|his|she|hers)\b/i,
  'stiff verb':
    /\b(wants? (a|an|the|its|their|what)|remembers?|forgets?|forgotten|vanish(es|ed)?|takes care|spare[sd]?|suffers?|dares?|sought|owe[sd]?|is meant|are meant|could be meant|gives? up on|is had|be had|is gone|are gone|has gone|have gone|counts? itself)\b/i,
}
