import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseStream } from '#server/features/radio/azuracast/parseStream.ts'
import type { RadioSource } from '#server/features/radio/types.ts'
import type { IcecastPrograms } from '#tests/setup/icecast.ts'
import { freePort } from './freePort.ts'

const PASSWORD = 'only-for-tests'
/** user that runs Icecast if the tests run as root: Icecast refuses to run as root */
const NOBODY = { name: 'nobody', group: 'nogroup', uid: 65534, gid: 65534 }

/** ffmpeg arguments for encoder and container, and Icecast's content type */
export const CODECS = {
  mp3: { type: 'audio/mpeg', args: ['-c:a', 'libmp3lame', '-b:a', '128k', '-f', 'mp3'] },
  aac: { type: 'audio/aac', args: ['-c:a', 'aac', '-b:a', '96k', '-f', 'adts'] },
  vorbis: { type: 'application/ogg', args: ['-c:a', 'libvorbis', '-q:a', '4', '-f', 'ogg'] },
  opus: { type: 'application/ogg', args: ['-c:a', 'libopus', '-b:a', '96k', '-f', 'ogg'] },
} as const

export type Icecast = {
  origin: string
  pid: number
  /** streams non-repeating noise to a mount with ffmpeg; resolves when the mount is available */
  feed: (mount: string, codec: keyof typeof CODECS, sampleRate?: number) => Promise<{ stop: () => Promise<void> }>
  /** Icecast's listener count for a mount */
  listeners: (mount: string) => Promise<number>
  setTitle: (mount: string, title: string) => Promise<void>
  stop: () => Promise<void>
}

/** Starts an Icecast server in a temporary folder, on a free port. */
export async function startIcecast({ icecast, ffmpeg }: IcecastPrograms, clients = 100): Promise<Icecast> {
  const dir = await mkdtemp(join(tmpdir(), 'icecast-'))
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  await writeFile(join(dir, 'icecast.xml'), configuration({ dir, port, clients, isRoot }))
  if (isRoot) await chown(dir, NOBODY.uid, NOBODY.gid)
  const server = spawn(icecast, ['-c', join(dir, 'icecast.xml')], { stdio: 'ignore' })
  const feeds = new Set<ChildProcess>()
  const origin = `http://127.0.0.1:${port}`
  const admin = (path: string) => fetch(`${origin}${path}`, { headers: { authorization: basic('admin') } })
  const sources = async () => {
    const { icestats } = (await (await fetch(`${origin}/status-json.xsl`)).json()) as { icestats: { source?: unknown } }
    return [icestats.source ?? []].flat() as { listenurl: string; listeners: number }[]
  }
  const statusOf = async (mount: string) => (await sources()).find(({ listenurl }) => listenurl.endsWith(`/${mount}`))
  await until(async () => (await fetch(`${origin}/status-json.xsl`)).ok).catch(async (error) => {
    throw new Error(`${error}: ${await readFile(join(dir, 'error.log'), 'utf8').catch(() => 'no log')}`)
  })

  return {
    origin,
    pid: server.pid as number,
    async feed(mount, codec, sampleRate = 44100) {
      const noise = `anoisesrc=color=pink:amplitude=0.3:sample_rate=${sampleRate}`
      const { type, args } = CODECS[codec]
      const target = ['-content_type', type, `icecast://source:${PASSWORD}@127.0.0.1:${port}/${mount}`]
      const input = ['-v', 'warning', '-re', '-f', 'lavfi', '-i', noise, '-ac', '2']
      const child = spawn(ffmpeg, [...input, ...args, ...target], { stdio: ['ignore', 'ignore', 'pipe'] })
      feeds.add(child)
      let warnings = ''
      child.stderr.on('data', (chunk) => {
        warnings += chunk
      })
      await until(async () => (await statusOf(mount)) !== undefined).catch((error) => {
        throw new Error(`ffmpeg (exit code ${child.exitCode}) does not feed ${mount}: ${warnings}`, { cause: error })
      })
      return {
        async stop() {
          await end(child)
          feeds.delete(child)
          await until(async () => (await statusOf(mount)) === undefined)
        },
      }
    },
    listeners: async (mount) => (await statusOf(mount))?.listeners ?? 0,
    async setTitle(mount, title) {
      const query = new URLSearchParams({ mode: 'updinfo', mount: `/${mount}`, song: title, charset: 'UTF-8' })
      const { ok, status } = await admin(`/admin/metadata?${query}`)
      if (!ok) throw new Error(`Icecast answers ${status}`)
    },
    async stop() {
      for (const child of feeds) await end(child)
      await end(server)
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Creates a radio source that streams from Icecast. Station 1 is the first mount. @param answers receives its answers */
export function icecastSource(
  icecast: Pick<Icecast, 'origin'>,
  mounts: string[],
  answers: IncomingMessage[] = [],
): Pick<RadioSource, 'openStream'> {
  return {
    openStream: (stationId, signal) =>
      new Promise((resolve, reject) => {
        const headers = { 'icy-metadata': '1' }
        const asked = request(`${icecast.origin}/${mounts[stationId - 1]}`, { headers, signal }, (answer) => {
          if (answer.statusCode !== 200) {
            answer.resume()
            reject(new Error(`Icecast answers ${answer.statusCode}`))
            return
          }
          const every = Number(answer.headers['icy-metaint'] ?? 0)
          answers.push(answer)
          const type = answer.headers['content-type'] ?? ''
          resolve(parseStream({ type, metadataInterval: every || null, body: answer }, signal))
        })
        asked.on('error', reject)
        asked.end()
      }),
  }
}

/** Polls until a condition is true; an exception counts as false. */
export async function until(isSo: () => Promise<boolean> | boolean, withinMs = 60_000): Promise<void> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(25)) {
    if (await Promise.resolve(isSo()).catch(() => false)) return
  }
  throw new Error(`Still false after ${withinMs} ms: ${isSo}`)
}

export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

const basic = (user: string) => `Basic ${Buffer.from(`${user}:${PASSWORD}`).toString('base64')}`

type Settings = { dir: string; port: number; clients: number; isRoot: boolean }

const configuration = ({ dir, port, clients, isRoot }: Settings) => `<icecast>
  <limits>
    <clients>${clients}</clients><sources>10</sources><source-timeout>60</source-timeout>
    <queue-size>524288</queue-size><burst-on-connect>1</burst-on-connect><burst-size>65535</burst-size>
  </limits>
  <authentication>
    <source-password>${PASSWORD}</source-password>
    <admin-user>admin</admin-user><admin-password>${PASSWORD}</admin-password>
  </authentication>
  <hostname>localhost</hostname>
  <listen-socket><port>${port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
  <fileserve>0</fileserve>
  <paths>
    <basedir>${dir}</basedir><logdir>${dir}</logdir><webroot>/usr/share/icecast2/web</webroot>
    <adminroot>/usr/share/icecast2/admin</adminroot>
  </paths>
  <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>2</loglevel></logging>
  <security>
    <chroot>0</chroot>
    ${isRoot ? `<changeowner><user>${NOBODY.name}</user><group>${NOBODY.group}</group></changeowner>` : ''}
  </security>
</icecast>
`
