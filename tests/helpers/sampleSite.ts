import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '#db/client.server.ts'
import { addArticles } from './articles.ts'
import type { TestDatabase } from './databases.ts'
import { silence } from './endlessSound.ts'
import { seed } from './siteProcess.ts'

const MINUTE = 60_000

/** Titles of news by source, newest first. */
const NEWS: [source: string, title: string][] = [
  ['kernel.example', 'A scheduler that knows which cores are cold'],
  ['solder.example', 'Reading a dead router’s flash with two wires and a resistor'],
  ['packets.example', 'The year half of all traffic spoke QUIC'],
  ['shell.example', 'Thirty years of terminal emulators, measured for latency'],
  ['kernel.example', 'Removing the last big lock from the tty layer'],
  ['packets.example', 'Why your DNS cache lies to you on Mondays'],
  ['solder.example', 'A software radio for the price of a pizza'],
  ['shell.example', 'Writing a parser nobody has to debug'],
  ['kernel.example', 'Memory tagging arrives on ordinary laptops'],
  ['solder.example', 'Repairing a keyboard older than its owner'],
  ['packets.example', 'Mesh networks after the storm: what stayed up'],
  ['shell.example', 'The case for boring build systems'],
  ['kernel.example', 'Filesystems and the disks that forget'],
  ['packets.example', 'An IRC server in four hundred lines'],
]

const SHOWS: [streamer: string, date: string, minutes: number][] = [
  ['ferrite', '20261118-200000', 11],
  ['ferrite', '20261111-200000', 9],
  ['ferrite', '20261104-200000', 12],
  ['nullbyte', '20261115-193000', 7],
]
const ABOUT = {
  ferrite: 'Drones, field recordings and slow techno.',
  nullbyte: 'Trackers and chip music, every Sunday.',
}

/** Fills a running site with the same posts, programs, news and shows in every run, as of `now`. */
export async function fillSampleSite(place: TestDatabase, now: Date, env: Record<string, string>): Promise<void> {
  await addShows(join(place.dataDir, 'radio', 'shows'))
  await seed(place, '--threads 12 --comments 30 --pictures 6', env)

  const database = await openDatabase({ ...place, mode: 'command' })
  const articles = NEWS.map(([source, title], index) => ({
    source,
    title,
    publishedAt: new Date(now.getTime() - (17 + index * 97) * MINUTE),
  }))
  await addArticles(database.db, articles, now)
  await database.close()
}

async function addShows(folder: string): Promise<void> {
  for (const [streamer, about] of Object.entries(ABOUT)) {
    await mkdir(join(folder, streamer), { recursive: true })
    await writeFile(join(folder, streamer, 'about.txt'), about)
  }
  for (const [streamer, date, minutes] of SHOWS) {
    const path = join(folder, streamer, `stream_${date}.mp3`)
    await writeFile(path, silence(minutes * 60))
    // Sets an old time, because the server treats a recently written file as a running recording.
    await utimes(path, new Date(0), new Date(0))
  }
}
