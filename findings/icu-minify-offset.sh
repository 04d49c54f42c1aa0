#!/usr/bin/env bash
# Plural with `offset:` (ICU MessageFormat: "You and # others").
# Expected: `#` shows the number minus the offset, and the plural category is chosen from that difference.
# Seen: icu-minify drops the offset without an error: `#` shows the whole number.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent icu-minify@4.15.0 intl-messageformat@12.1.5

cat >check.mjs <<'EOF'
import compile from 'icu-minify/compile'
import format from 'icu-minify/format'
import { IntlMessageFormat } from 'intl-messageformat'

const message = '{n, plural, offset:1 =1 {Only you} one {You and # other} other {You and # others}}'
const formatters = {
  getDateTimeFormat: (...args) => new Intl.DateTimeFormat(...args),
  getNumberFormat: (...args) => new Intl.NumberFormat(...args),
  getPluralRules: (...args) => new Intl.PluralRules(...args),
}
const compiled = compile(message)
const seen = [2, 3].map((n) => format(compiled, 'en', { n }, { formatters }))
const expected = [2, 3].map((n) => new IntlMessageFormat(message, 'en').format({ n }))
console.log('icu-minify 4.15.0', { message, expected, seen })
process.exitCode = seen.join() === 'You and 2 others,You and 3 others' ? 0 : 1
EOF
node check.mjs
