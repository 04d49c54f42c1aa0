#!/usr/bin/env bash
# Collations of ICU: Swedish (ä and ö after z), and numeric (a2 before a10).
# Expected: they sort as in PostgreSQL with ICU; a locale that does not exist is an error or a warning.
# Seen: PGlite accepts every locale and sorts by the root collation, so the order is silently wrong.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent @electric-sql/pglite@0.5.14

cat >check.mjs <<'EOF'
import { PGlite } from '@electric-sql/pglite'

const db = await PGlite.create()
const words = ['z', 'ö', 'o', 'a10', 'a2']
const sort = async (locale) => {
  await db.exec(`DROP COLLATION IF EXISTS tried; CREATE COLLATION tried (provider = icu, locale = '${locale}')`)
  const { rows } = await db.query(`SELECT word FROM unnest($1::text[]) AS word ORDER BY word COLLATE tried`, [words])
  return rows.map(({ word }) => word).join(' ')
}
const intl = (locale) => [...words].sort(new Intl.Collator(locale).compare).join(' ')
const locales = ['und', 'sv', 'en-u-kn-true', 'xx-x-nowhere']
const seen = {}
for (const locale of locales) seen[locale] = await sort(locale)
console.log('@electric-sql/pglite 0.5.14', {
  expected: { sv: intl('sv'), 'en-u-kn-true': intl('en-u-kn-true') },
  seen,
})
process.exitCode = locales.every((locale) => seen[locale] === 'a10 a2 o ö z') ? 0 : 1
EOF
node check.mjs
