// Creates a paste from standard input and prints its URL:
//   echo hello | node paste.js https://example.org --burn --expires 1
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { createSiteClient } from 'dtp-site-client'

const HOURS = [1, 6, 12, 24, 48, 168] as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { burn: { type: 'boolean', default: false }, expires: { type: 'string', default: '24' } },
})
const [siteUrl] = positionals
const expiryHours = HOURS.find((hours) => String(hours) === values.expires)
if (!siteUrl || !expiryHours) {
  console.error(`Usage: paste SITE [--burn] [--expires ${HOURS.join('|')}]`)
  process.exit(2)
}

try {
  const content = await text(process.stdin)
  const paste = await createSiteClient(siteUrl).paste.create.mutate({
    content,
    expiryHours,
    burnAfterReading: values.burn,
  })
  console.log(paste.url)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
