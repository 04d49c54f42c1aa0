#!/usr/bin/env bash
# An Atom feed that writes about HTML: a title with `type="text"`, and HTML with character references, in CDATA.
# Expected: nothing is decoded, because CDATA has no references, the title is plain text, and the content stays HTML.
# Seen: @rowanmanning/feed-parser decodes both. `&lt;em&gt;`, which a page shows as text, becomes an element.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent @rowanmanning/feed-parser@2.1.5

cat >check.mjs <<'EOF'
import { parseFeed } from '@rowanmanning/feed-parser'

const title = 'Write &lt; for a smaller-than sign'
const content = '<p>Write &lt;em&gt; to stress a word.</p>'
const [seen] = parseFeed(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:example:feed</id>
  <title>Lessons</title>
  <updated>2026-01-05T20:00:00Z</updated>
  <entry>
    <id>urn:example:entry</id>
    <updated>2026-01-05T20:00:00Z</updated>
    <title type="text"><![CDATA[${title}]]></title>
    <content type="html"><![CDATA[${content}]]></content>
  </entry>
</feed>`).items
console.log('@rowanmanning/feed-parser 2.1.5', {
  expected: { title, content },
  seen: { title: seen.title, content: seen.content },
})
const isDecoded = seen.title === 'Write < for a smaller-than sign' && seen.content.includes('Write <em> to')
process.exitCode = isDecoded ? 0 : 1
EOF
node check.mjs
