import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Target = { port: number; mount: string; password: string; dir: string }

/** Writes a tone of some seconds to a file. */
export function writeTone(
  ffmpeg: string,
  path: string,
  hertz: number,
  seconds: number,
  tags: string[] = [],
  format = ['-b:a', '128k'],
): string {
  const input = [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=${hertz}:sample_rate=44100:duration=${seconds}`,
  ]
  execFileSync(ffmpeg, [...input, '-ac', '2', ...tags.flatMap((tag) => ['-metadata', tag]), ...format, path])
  return path
}

/** Returns the arguments with which ffmpeg streams a tone in real time. */
export function ffmpegTone(
  hertz: number,
  { port, mount, password }: Target,
  options: string[],
  legacy = false,
): string[] {
  const input = ['-v', 'error', '-re', '-f', 'lavfi', '-i', `sine=frequency=${hertz}:sample_rate=44100`]
  const target = ['-legacy_icecast', legacy ? '1' : '0', `icecast://source:${password}@127.0.0.1:${port}${mount}`]
  return [...input, '-ac', '2', ...options, ...target]
}

export function ezstreamConfig({ port, mount, password, dir }: Target, file: string): string[] {
  const path = join(dir, 'ezstream.xml')
  const xml = `<ezstream>
  <servers><server><hostname>127.0.0.1</hostname><port>${port}</port><password>${password}</password></server></servers>
  <streams><stream><mountpoint>${mount}</mountpoint><format>MP3</format></stream></streams>
  <intakes><intake><type>file</type><filename>${file}</filename></intake></intakes>
</ezstream>`
  writeFileSync(path, xml, { mode: 0o600 })
  return ['-c', path]
}

export function ices2Config(target: Target, file: string): string[] {
  const list = join(target.dir, 'list.txt')
  writeFileSync(list, `${file}\n${file}\n`)
  const input = { type: 'basic', file: list, random: 0, 'restart-after-reread': 0, once: 0 }
  return [writeIces2Config(target, 'playlist', input, '')]
}

/** Returns arguments for bash, which then becomes ices2 and reads a tone in real time from ffmpeg. */
export function ices2LiveScript(target: Target, ffmpeg: string, hertz: number): string[] {
  const encode = '<encode><quality>1</quality><samplerate>44100</samplerate><channels>2</channels></encode>'
  const path = writeIces2Config(target, 'stdinpcm', { rate: 44_100, channels: 2, metadata: 0 }, encode)
  const tone = `-v error -re -f lavfi -i sine=frequency=${hertz}:sample_rate=44100 -ac 2 -f s16le pipe:1`
  return ['-c', 'exec ices2 "$0" < <("$1" $2)', path, ffmpeg, tone]
}

function writeIces2Config(
  { port, mount, password, dir }: Target,
  module: string,
  input: Record<string, string | number>,
  encode: string,
): string {
  const path = join(dir, 'ices.xml')
  const params = Object.entries(input).map(([name, value]) => `<param name="${name}">${value}</param>`)
  const xml = `<?xml version="1.0"?><ices>
  <background>0</background><logpath>${dir}</logpath><logfile>ices.log</logfile><loglevel>4</loglevel><consolelog>1</consolelog>
  <stream><metadata><name>n</name><genre>g</genre><description>d</description></metadata>
  <input><module>${module}</module>${params.join('')}</input>
  <instance><hostname>127.0.0.1</hostname><port>${port}</port><password>${password}</password><mount>${mount}</mount>
  <reconnectdelay>2</reconnectdelay><reconnectattempts>1</reconnectattempts><maxqueuelength>80</maxqueuelength>${encode}
  </instance></stream></ices>`
  writeFileSync(path, xml)
  return path
}

/** DarkIce records from a sound card: here from ALSA's file plugin, which reads a raw tone. */
export function darkiceConfig({ port, mount, password, dir }: Target, rawFile: string): string[] {
  const [path, alsa] = [join(dir, 'darkice.cfg'), join(dir, 'asound.conf')]
  writeFileSync(alsa, `pcm.tone { type file slave.pcm { type null } file /dev/null infile "${rawFile}" format raw }\n`)
  const sections = {
    general: { duration: 0, bufferSecs: 1, reconnect: 'no', realtime: 'no' },
    input: { device: 'tone', sampleRate: 44_100, bitsPerSample: 16, channel: 2 },
    'icecast2-0': {
      bitrateMode: 'cbr',
      format: 'mp3',
      bitrate: 128,
      server: '127.0.0.1',
      port,
      password,
      mountPoint: mount.slice(1),
      public: 'no',
    },
  }
  const lines = Object.entries(sections).flatMap(([name, fields]) => [
    `[${name}]`,
    ...Object.entries(fields).map(([field, value]) => `${field} = ${value}`),
  ])
  writeFileSync(path, `${lines.join('\n')}\n`)
  return [`ALSA_CONFIG_PATH=${alsa}`, 'darkice', '-c', path]
}

export function liquidsoapScript({ port, mount, password, dir }: Target, hertz: number): string[] {
  const path = join(dir, 'live.liq')
  const script = `settings.init.allow_root.set(true)
output.icecast(%mp3(bitrate=128), host="127.0.0.1", port=${port}, password="${password}", mount="${mount.slice(1)}", sine(${hertz}.))
`
  writeFileSync(path, script)
  return [path]
}

export type Client = { output: () => string; stop: () => Promise<void>; child: ChildProcess }

export function startClient(program: string, args: string[]): Client {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-5000)
    })
  }
  return {
    child,
    output: () => output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Returns the share of a tone in the power of a sound, 0 to 1 (Goertzel). @param samples at 8 kHz */
export function toneShare(samples: Float32Array, hertz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hertz) / 8000)
  let [before, last, power] = [0, 0, 0]
  for (const sample of samples) {
    ;[before, last] = [last, sample + factor * last - before]
    power += sample * sample
  }
  const tone = before * before + last * last - factor * before * last
  return power === 0 ? 0 : (2 * tone) / (samples.length * power)
}
