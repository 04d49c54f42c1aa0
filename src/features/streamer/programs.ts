import type { SourceConnection } from '#src/contract/streamer.ts'
import { t } from '#src/i18n/t.ts'

/** Stands for the streaming password, which the page does not know. */
export const passwordPlaceholder = () => t('streamer.passwordPlaceholder')

type Program = {
  name: string
  /** names of menus and files as the program shows them, or a sentence */
  hint: () => string
  canUseTls: boolean
  /** lines to copy, or the fields of a dialog */
  settings: (connection: SourceConnection) => string
}

const withoutSlash = (mount: string) => mount.replace(/^\//, '')
const inUrl = (host: string) => (host.includes(':') ? `[${host}]` : host)
const lines = (...parts: (string | false)[]) => parts.filter((part) => part !== false).join('\n')

/** Programs that stream to an Icecast server, with their settings for this site. */
export const programs: Program[] = [
  {
    name: 'butt',
    hint: () => 'Settings → Main → Server → Add',
    canUseTls: true,
    settings: ({ host, port, isSecure, mount, user }) =>
      lines(
        'Type                Icecast',
        `Address             ${host}`,
        `Port                ${port}`,
        `Password            ${passwordPlaceholder()}`,
        `IceCast mountpoint  ${withoutSlash(mount)}`,
        `IceCast user        ${user}`,
        `Use SSL/TLS         ${isSecure ? 'on' : 'off'}`,
      ),
  },
  {
    name: 'Mixxx',
    hint: () => 'Preferences → Live Broadcasting',
    canUseTls: false,
    settings: ({ host, port, mount, user }) =>
      lines(
        'Type      Icecast 2',
        `Mount     ${mount}`,
        `Host      ${host}`,
        `Port      ${port}`,
        `Login     ${user}`,
        `Password  ${passwordPlaceholder()}`,
        'Format    MP3, 192 kbit/s, stereo',
      ),
  },
  {
    name: 'ffmpeg',
    hint: () => t('streamer.ffmpegHint'),
    canUseTls: true,
    settings: ({ host, port, isSecure, mount, user }) =>
      `ffmpeg -re -i music.mp3 -c:a libmp3lame -b:a 192k -content_type audio/mpeg -f mp3${isSecure ? ' -tls 1' : ''} ` +
      `icecast://${user}:${passwordPlaceholder()}@${inUrl(host)}:${port}${mount}`,
  },
  {
    name: 'liquidsoap',
    hint: () => 'radio.liq',
    canUseTls: true,
    settings: ({ host, port, isSecure, mount, user }) =>
      lines(
        'output.icecast(',
        '  %mp3(bitrate=192),',
        `  host="${host}", port=${port},`,
        isSecure && '  # before version 2.2: protocol="https" instead of the transport',
        isSecure && '  transport=http.transport.ssl(),',
        `  user="${user}", password="${passwordPlaceholder()}",`,
        `  mount="${mount}",`,
        '  mksafe(playlist("~/music")))',
      ),
  },
  {
    name: 'ezstream',
    hint: () => t('streamer.ezstreamHint'),
    canUseTls: true,
    settings: ({ host, port, isSecure, mount, user }) =>
      lines(
        '<ezstream>',
        '  <servers><server>',
        `    <hostname>${host}</hostname>`,
        `    <port>${port}</port>`,
        `    <user>${user}</user>`,
        `    <password>${passwordPlaceholder()}</password>`,
        `    <tls>${isSecure ? 'Required' : 'None'}</tls>`,
        '  </server></servers>',
        '  <streams><stream>',
        `    <mountpoint>${mount}</mountpoint>`,
        '    <format>MP3</format>',
        '  </stream></streams>',
        '  <intakes><intake>',
        '    <filename>playlist.m3u</filename>',
        '  </intake></intakes>',
        '</ezstream>',
      ),
  },
  {
    name: 'darkice',
    hint: () => t('streamer.darkiceHint'),
    canUseTls: false,
    settings: ({ host, port, mount }) =>
      lines(
        '[general]',
        'duration = 0',
        'bufferSecs = 5',
        'reconnect = yes',
        '',
        '[input]',
        'device = default',
        'sampleRate = 44100',
        'bitsPerSample = 16',
        'channel = 2',
        '',
        '[icecast2-0]',
        'bitrateMode = cbr',
        'format = mp3',
        'bitrate = 192',
        `server = ${host}`,
        `port = ${port}`,
        `mountPoint = ${withoutSlash(mount)}`,
        `password = ${passwordPlaceholder()}`,
        // darkice ignores a last line without a line break.
        'public = no',
      ),
  },
  {
    name: 'ices2',
    hint: () => t('streamer.icesHint'),
    canUseTls: false,
    settings: ({ host, port, mount, user }) =>
      lines(
        '<ices>',
        '  <background>0</background>',
        '  <logpath>/tmp</logpath>',
        '  <logfile>ices.log</logfile>',
        '  <stream>',
        '    <input>',
        '      <module>playlist</module>',
        '      <param name="type">basic</param>',
        '      <param name="file">playlist.txt</param>',
        '    </input>',
        '    <instance>',
        `      <hostname>${host}</hostname>`,
        `      <port>${port}</port>`,
        `      <username>${user}</username>`,
        `      <password>${passwordPlaceholder()}</password>`,
        `      <mount>${mount}</mount>`,
        '    </instance>',
        '  </stream>',
        '</ices>',
      ),
  },
]
