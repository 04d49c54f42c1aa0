import { expect, test } from 'vitest'
import { programs } from '#src/features/streamer/programs.ts'
import { describeLevel, formatDecibels } from '#src/features/streamer/sources.ts'

const connection = {
  host: 'dtp.example',
  port: 8000,
  isSecure: false,
  mount: '/radio/1/source',
  testMount: '/test',
  user: 'source',
}

test.each(programs)(
  'the settings of $name name the server, the port and the mount, and use TLS if they can',
  (program) => {
    const plain = program.settings(connection)
    for (const part of ['dtp.example', '8000', 'radio/1/source', 'YOUR-PASSWORD']) expect(plain).toContain(part)
    const secure = program.settings({ ...connection, isSecure: true })
    expect(secure !== plain).toBe(program.canUseTls)
  },
)

test('ffmpeg gets an IPv6 address in brackets', () => {
  const ffmpeg = programs.find(({ name }) => name === 'ffmpeg')
  expect(ffmpeg?.settings({ ...connection, host: '2001:db8::1' })).toContain('@[2001:db8::1]:8000/radio/1/source')
})

test.each([
  [{ rms: -16, peak: -3 }, 'The level is good.'],
  [{ rms: -6, peak: 0 }, 'Clipping. Turn it down by a few decibels.'],
  [{ rms: -35, peak: -20 }, 'Too quiet. Turn it up.'],
  [{ rms: -Infinity, peak: -Infinity }, 'We hear no sound. Check your software’s input.'],
  [null, 'We can’t measure the level of this format.'],
])('%j is described', (level, text) => {
  expect(describeLevel(level).text).toBe(text)
})

test('levels have a minus sign and one decimal', () => {
  expect([-12.34, 0, -Infinity].map(formatDecibels)).toEqual(['−12.3', '0.0', '−∞'])
})
