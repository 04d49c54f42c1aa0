#!/usr/bin/env bash
# An event with `TZID=America/New_York` in a calendar without a VTIMEZONE, as many services send it.
# Expected: the time of New York, since the runtime knows the zone; or an error.
# Seen: ical.js makes a floating time, without an error: toJSDate() gives another instant on every machine.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent ical.js@2.2.1

cat >check.mjs <<'EOF'
import ICAL from 'ical.js'

const text = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'UID:1@example.org',
  'DTSTART;TZID=America/New_York:20260105T200000',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n')

const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')
const { startDate } = new ICAL.Event(event)
const instants = ['UTC', 'Asia/Tokyo'].map((zone) => {
  process.env.TZ = zone
  return startDate.toJSDate().toISOString()
})
console.log('ical.js 2.2.1', {
  tzid: event.getFirstProperty('dtstart').getParameter('tzid'),
  zone: startDate.zone.tzid,
  expected: '2026-01-06T01:00:00.000Z',
  'seen on machines in UTC and Tokyo': instants,
})
const areLocal = instants.join() === '2026-01-05T20:00:00.000Z,2026-01-05T11:00:00.000Z'
process.exitCode = startDate.zone.tzid === 'floating' && areLocal ? 0 : 1
EOF
node check.mjs
