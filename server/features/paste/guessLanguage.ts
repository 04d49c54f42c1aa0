import type { PasteLanguage } from '#src/contract/paste.ts'

/** Limits characters, because long texts would block the event loop. */
const SAMPLE_LENGTH = 4_000
const MAX_JSON_LENGTH = 20_000

/**
 * Language patterns, most reliable first. highlight.js can detect languages, but takes a hundred times as long and
 * detects prose as CSS. A wrong highlighting is worse than none.
 */
const PATTERNS: [PasteLanguage, RegExp][] = [
  ['bash', /^#!.{0,40}\b(?:ba|z|k|da)?sh\b/],
  ['python', /^#!.{0,40}\bpython/],
  ['perl', /^#!.{0,40}\bperl\b/],
  ['ruby', /^#!.{0,40}\bruby\b/],
  ['lua', /^#!.{0,40}\blua/],
  ['javascript', /^#!.{0,40}\b(?:node|deno|bun)\b/],
  ['php', /^\s{0,9}<\?php\b/],
  ['xml', /^\s{0,9}<(?:!doctype html|html[\s>]|\?xml\s|svg\s|!--)/i],
  ['diff', /^(?:diff --git |--- \S[^\n]{0,200}\n\+\+\+ |@@ -\d{1,9}(?:,\d{1,9})? \+\d)/m],
  ['dockerfile', /^FROM [\w./:@-]{1,99}(?: AS \w{1,40})?\n(?:[^\n]{0,400}\n){0,20}?(?:RUN|CMD|COPY|ENTRYPOINT) /],
  ['go', /^package [a-z]\w{0,40}\s{0,4}\n[\s\S]{0,2000}?\b(?:import|func|type|var) /m],
  ['csharp', /^using [A-Z][\w.]{0,60};\s{0,4}$|^namespace [A-Z][\w.]{0,60}\s{0,4}[;{]?\s{0,4}$/m],
  [
    'java',
    /^(?:package [a-z][\w.]{0,60};|import (?:static )?(?:java|org|com)\.[\w.*]{1,80};)|\bpublic static void main\(/m,
  ],
  ['cpp', /^#include <(?:iostream|string|vector|map|memory|algorithm)>|\bstd::\w|^template ?<(?:type|class)/m],
  ['c', /^#include [<"][\w./]{1,60}\.h[>"]|^int main\(/m],
  ['rust', /^(?:pub )?(?:async )?fn \w{1,40}[(<]|\blet mut \w|^use (?:std|crate|super)::|^impl(?:<|\s\w)/m],
  ['php', /<\?php\b|^\$\w{1,40}(?:->\w|\s?=\s?new )/m],
  [
    'typescript',
    /^(?:export )?(?:interface \w{1,40}|type \w{1,40}(?:<[^\n]{1,40}>)? =|enum \w{1,40} )|^import type |\b(?:const|let) \w{1,40}: \w|^[^\n]{0,80}\(\w{1,40}\??: (?:string|number|boolean)\b/m,
  ],
  [
    'javascript',
    /^(?:export )?(?:const|let|var) [\w{}, ]{1,80} = |^(?:async )?function \w{0,40}\(|^import [^\n]{1,120} from ['"]|\bconsole\.log\(|^module\.exports/m,
  ],
  [
    'python',
    /^(?:async )?def \w{1,40}\([^\n]{0,200}:\s{0,4}$|^(?:from [\w.]{1,60} )?import [\w., ]{1,80}$|^class \w{1,40}(?:\([^\n]{0,80}\))?:$|^if __name__ ==/m,
  ],
  [
    'ruby',
    /^(?:require ['"]|module [A-Z]\w{0,40}$|class [A-Z]\w{0,40}(?: < [A-Z][\w:]{0,60})?$)|^\s{0,20}def \w{1,40}[?!]?(?:\([^\n]{0,80}\))?$/m,
  ],
  ['perl', /^use (?:strict|warnings|v?5)|^(?:my|our) [$@%]\w/m],
  ['lua', /^local (?:function )?\w{1,40}(?: = |\()|^function [\w.:]{1,60}\([^\n]{0,80}\)\s{0,4}$/m],
  [
    'sql',
    /^\s{0,9}(?:CREATE (?:TABLE|INDEX|DATABASE|VIEW)|ALTER TABLE|INSERT INTO|DROP TABLE)\b|^\s{0,9}SELECT\s[^;]{1,999}?\sFROM\s/im,
  ],
  ['makefile', /^(?:\.PHONY:|[\w./$()%-]{1,60}:(?: [^\n=]{0,200})?\n\t\S)/m],
  [
    'css',
    /^(?:@(?:media|import|font-face|layer|keyframes)\b|:root\b|[.#]?[a-z][\w.#: >-]{0,80} ?\{)\s{0,4}[\s\S]{0,400}?[a-z-]{2,30}: ?[^;\n]{1,200};/m,
  ],
  ['ini', /^\[{1,2}[\w. "/:-]{1,80}\]{1,2}\s{0,4}\n(?:[#;][^\n]{0,200}\n){0,9}[\w. -]{1,60}\s?=/m],
  ['yaml', /^(?:---\n)?[\w-]{1,40}:(?: [^\n]{0,200})?\n(?:\s{0,8}(?:- )?[\w"'./-]{1,40}:(?: [^\n]{0,200})?\n){2}/],
  ['markdown', /^#{1,3} \S[^\n]{0,120}\n[\s\S]{0,4000}?(?:^```|^[*-] \S|^## |\]\(https?:)/m],
  [
    'bash',
    /^(?:sudo |apt(?:-get)? install |export [A-Z_]{1,40}=|set -e)|^(?:if \[{1,2} |for \w{1,40} in )[^\n]{0,200}; ?(?:then|do)$/m,
  ],
]

export function guessLanguage(text: string): PasteLanguage | null {
  const beginning = text.slice(0, SAMPLE_LENGTH)
  if (isJson(text)) return 'json'
  return PATTERNS.find(([, pattern]) => pattern.test(beginning))?.[0] ?? null
}

function isJson(text: string): boolean {
  if (text.length > MAX_JSON_LENGTH || !/^\s{0,99}[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
