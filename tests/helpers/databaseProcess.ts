import { appendFileSync } from 'node:fs'
import { openDatabase } from '#db/client.server.ts'
import { recordEntry } from './powerCut.ts'

/** Opens a database in its own process, to test locks and crashes. Usage: `databaseProcess.ts DATA_DIR hold|insert` */
const [, , dataDir = '', task] = process.argv
/** Record of `fileRecorder.cjs` that also gets the acknowledgements. */
const { RECORD } = process.env

async function main(): Promise<void> {
  const { sql } = await openDatabase({ dataDir })
  process.stdout.write('ready\n')
  for (let id = 1; task === 'insert'; id++) {
    await sql`insert into allowance (key, full_at) values (${`row ${id}`}, ${id})`
    if (RECORD) appendFileSync(RECORD, recordEntry({ op: 'ack' }))
    process.stdout.write(`${id}\n`)
  }
}

main().catch((error) => {
  process.stdout.write(`${error.message}\n`)
  process.exit(1)
})
