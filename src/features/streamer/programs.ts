import type { SourceConnection } from '#src/contract/streamer.ts'

/** Stands for the streaming password, which the page does not know. */
export const PASSWORD_PLACEHOLDER = 'YOUR-PASSWORD'

type Program = {
  name: string
  hint: string
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
    hint: 'Settings → Main → Server → Add',
    canUseTls: true,
    settings: ({ host, port, isSecure, mount, user }) =>
      lines(
        'Type                Icecast',
        `Address             ${host}`,
        `Port                ${port}`,
        `Password            ${PASSWORD_PLACEHOLDER}`,
        `IceCast mountpoint  ${withoutSlash(mount)}`,
        `IceCast user        ${user}`,
        `Use SSL/TLS         ${isSecure ? 'on' : 'off'}`,
      ),
  },
  {
    name: 'Mixxx',
    hint: 'Preferences → Live Broadcasting',
    canUseTls: false,
    settings: ({ host, port, mount, user }) =>
      lines(
        'Type      Icecast 2',
        `Mount     ${mount}`,
        `Host      ${host}`,
        `Port      ${port}`,
        `Login     ${user}`,
        `Password  ${PASSWORD_PLACEHOLDER}`,
        'Format    MP3, 192 kbit/s, stereo',
      ),
  },
  {
    name: 'ffmpeg',
    hint: 'In a terminal; replace music.mp3 by your file or device',
    canUseTls: true,
    settings: ({ host, port, isSecure, mount, user }) =>
      `ffmpeg -re -i music.mp3 -c:a libmp3lame -b:a 192k -content_type audio/mpeg -f mp3${isSecure ? ' -tls 1' : ''} ` +
      `icecast://${user}:${PASSWORD_PLACEHOLDER}@${inUrl(host)}:${port}${mount}`,
  },
  {
    name: 'liquidsoap',
    hint: 'radio.liq',
    canUseTls: true,
    settings: ({ host, port, isSecure, mount, user }) =>
      lines(
        'output.icecast(',
        '  %mp3(bitrate=192),',
        `  host="${host}", port=${port},`,
        isSecure && '  # before version 2.2: protocol="https" instead of the transport',
        isSecure && '  transport=http.transport.ssl(),',
        `  user="${user}", password="${PASSWORD_PLACEHOLDER}",`,
        `  mount="${mount}",`,
        '  mksafe(playlist("~/music")))',
      ),
  },
  {
    name: 'ezstream',
    hint: 'ezstream.xml; start it with ezstream -c ezstream.xml',
    canUseTls: true,
    settings: ({ host, port, isSecure, mount, user }) =>
      lines(
        '<ezstream>',
        '  <servers><server>',
        `    <hostname>${host}</hostname>`,
        `    <port>${port}</port>`,
        `    <user>${user}</user>`,
        `    <password>${PASSWORD_PLACEHOLDER}</password>`,
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
    name: 'ices2',
    hint: 'ices.xml; sends the Ogg Vorbis files of playlist.txt',
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
        `      <password>${PASSWORD_PLACEHOLDER}</password>`,
        `      <mount>${mount}</mount>`,
        '    </instance>',
        '  </stream>',
        '</ices>',
      ),
  },
]
