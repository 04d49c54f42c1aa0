import { describe, expect, it } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'
import { formatStart } from '#server/features/irc/answers.ts'
import { createChannels } from '#server/features/irc/channels.ts'
import { cleanText, cutText } from '#server/features/irc/cleanText.ts'
import { parseCommand } from '#server/features/irc/commands.ts'
import { nickForAttempt } from '#server/features/irc/connection.ts'
import { createOutgoingQueue, MAX_LINE_BYTES, type OutgoingLine } from '#server/features/irc/outgoingQueue.ts'
import { IRC_COMMANDS, ircTexts } from '#server/features/irc/texts.ts'
import { fc } from '#tests/helpers/property.ts'

describe('settings', () => {
  const required = { IRC_HOST: 'irc.example.org', IRC_NICK: 'bot', IRC_CHANNELS: '#main' }

  it('reads channels with their announcements', () => {
    expect(readConfig({ IRC_NICK: 'bot' }).irc).toBeNull()
    const channels = ' #radio=shows,tracks,shows  &local #news=news '
    const env = {
      ...required,
      IRC_CHANNELS: channels,
      IRC_ACCOUNT: 'a',
      IRC_PASSWORD: 'b c',
      IRC_STAFF_CHANNEL: '#staff',
    }
    expect(readConfig(env).irc).toEqual({
      ...{ host: 'irc.example.org', port: 6697, tls: true, nick: 'bot', account: { account: 'a', password: 'b c' } },
      channels: [
        { name: '#radio', announces: ['shows', 'tracks'] },
        { name: '&local', announces: [] },
        { name: '#news', announces: ['news'] },
      ],
      ...{ staffChannel: '#staff', trackSeconds: 60 },
    })
  })

  it.each([
    [
      { IRC_CHANNELS: '#radio=songs' },
      'IRC_CHANNELS is wrong: #radio can announce shows, tracks, threads, news, not "songs"',
    ],
    [{ IRC_CHANNELS: '#radio=' }, 'IRC_CHANNELS is wrong: #radio can announce'],
    [
      { IRC_CHANNELS: 'radio' },
      'IRC_CHANNELS is wrong: must be channels like #radio=shows,tracks, separated by spaces, not radio',
    ],
    [{ IRC_CHANNELS: '#a,#b' }, 'IRC_CHANNELS is wrong: must be channels like'],
    [{ IRC_CHANNELS: '#a #A=news' }, 'IRC_CHANNELS is wrong: names a channel twice'],
    [
      { IRC_CHANNELS: Array.from({ length: 21 }, (_, at) => `#${at}`).join(' ') },
      'IRC_CHANNELS is wrong: must be at most 20',
    ],
    [{ IRC_CHANNELS: '' }, 'IRC_CHANNELS is missing'],
    [{ IRC_NICK: '1bot' }, 'IRC_NICK is wrong: must be a nick of at most 30 characters'],
    [{ IRC_NICK: '' }, 'IRC_NICK is missing'],
    [{ IRC_HOST: 'irc://irc.example.org' }, 'IRC_HOST is wrong: must be a host name or an IP address'],
    [{ IRC_PORT: '0' }, 'IRC_PORT is wrong'],
    [{ IRC_STAFF_CHANNEL: '#a b' }, 'IRC_STAFF_CHANNEL is wrong: must be a channel like #main'],
    [{ IRC_TRACK_SECONDS: '1' }, 'IRC_TRACK_SECONDS is wrong'],
    [{ IRC_PASSWORD: 'x' }, 'IRC_ACCOUNT and IRC_PASSWORD go together'],
    [{ IRC_ACCOUNT: 'x', IRC_PASSWORD: 'a\nb' }, 'IRC_PASSWORD is wrong: must not contain control characters'],
  ])('rejects %j', (env, line) => {
    expect(() => readConfig({ ...required, ...env })).toThrow(
      `${line.includes('together') ? 'Settings' : 'Setting'} ${line}`,
    )
  })
})

describe('text of others', () => {
  it.each([
    ['a\x02b\x1dc\x1fd\x16e\x11f\x1eg\x0fh', 'abcdefgh'],
    ['\x034,12red\x03 \x0399x \x04ff0000,00ff00hex\x04', 'red x hex'],
    ['\x01ACTION waves\x01', 'ACTION waves'],
    ['one\r\nQUIT\0two\u2028three\u0085four\t five', 'one QUIT two three four five'],
    ['\u202eabc\u2066\u200f\ufeff\u{e0041}', 'abc'],
    ['👩‍💻 می‌خواهم é', '👩‍💻 می‌خواهم é'],
    ['\ud800x', '\ufffdx'],
  ])('becomes clean: %j', (text, clean) => {
    expect(cleanText(text)).toBe(clean)
  })

  it('is cut between characters, to the given bytes', () => {
    expect(cutText('äöü', 6)).toBe('äöü')
    expect(cutText('äöüß', 7)).toBe('äö…')
    expect(cutText('ab 👩‍💻👩‍💻', 17)).toBe('ab 👩‍💻…')
    expect(cutText(`e${'\u0301'.repeat(1000)}`, 50)).toBe('…')
    const parts = fc.array(
      fc.constantFrom('a', 'ä', '𝄞', '👩‍💻', '4,1', ' ', '\x03', '\x01', '\r\n', '\0', '\u202e', '\ud800'),
    )
    fc.assert(
      fc.property(parts, fc.integer({ min: 3, max: 60 }), (text, max) => {
        const cut = cutText(cleanText(text.join('')), max)
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(max)
        expect(cut).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
      }),
      { numRuns: 40 },
    )
  })
})

it('recognizes commands only', () => {
  expect(parseCommand('!np')).toEqual({ command: 'np', words: '' })
  expect(parseCommand('\x0304!Request\x03  blue   monday ')).toEqual({ command: 'request', words: 'blue monday' })
  expect(parseCommand(`!request ${'x'.repeat(5000)}`)?.words.length).toBeLessThan(512)
  for (const text of ['', '!', 'np', '!npx', '!!np', ' hello !np', '!constructor', '.np'])
    expect(parseCommand(text)).toBeNull()
  for (const command of IRC_COMMANDS) if (command !== 'help') expect(ircTexts.help).toContain(`!${command}`)
  expect(Buffer.byteLength(ircTexts.help)).toBeLessThan(MAX_LINE_BYTES - 50)
})

it('formats times for readers in other time zones', () => {
  const now = new Date('2026-11-25T12:00:00Z')
  expect(formatStart(new Date('2026-11-25T12:20:10Z'), now)).toBe('Wed 25 Nov, 12:20 UTC (in 20 min)')
  expect(formatStart(new Date('2026-11-26T20:00:00Z'), now)).toBe('Thu 26 Nov, 20:00 UTC (in 32 h)')
  expect(formatStart(new Date('2026-12-01T09:05:00Z'), now)).toBe('Tue 1 Dec, 09:05 UTC (in 6 days)')
})

it('tries other nicks, and gives up in the end', () => {
  const nicks = Array.from({ length: 9 }, (_, attempt) => nickForAttempt('b'.repeat(30), attempt, () => 0.5))
  expect(nicks.slice(0, 2)).toEqual(['b'.repeat(30), `${'b'.repeat(29)}_`])
  expect(nicks[4]).toBe(`${'b'.repeat(26)}_550`)
  expect(nicks[8]).toBeNull()
})

it('joins channels again later and later, and leaves a channel after several kicks', () => {
  let now = 0
  const times = { retry: 10, maxRetry: 30, afterKick: [5, 50] }
  const channels = createChannels(['#a', '#B'], () => now, times)
  const joinAt = (at: number) => {
    now = at
    return channels.takeDue()
  }
  expect(joinAt(0)).toEqual(['#a', '#B'])
  channels.markJoined('#b')
  channels.markJoined('#elsewhere')
  expect([9, 10, 29, 30, 59, 60, 90].map((at) => joinAt(at).length)).toEqual([0, 1, 0, 1, 0, 1, 1])
  channels.markLeft('#B')
  expect([channels.isJoined('#b'), joinAt(94), joinAt(95)]).toEqual([false, [], ['#B']])
  channels.markLeft('#B')
  expect([joinAt(144).includes('#B'), joinAt(145).includes('#B')]).toEqual([false, true])
  channels.markLeft('#B')
  expect(joinAt(1e9)).toEqual(['#a'])
})

describe('the queue', () => {
  function openQueue(isReady: (target: string) => boolean = () => true) {
    const sent: string[] = []
    const clock = { now: 0 }
    const queue = createOutgoingQueue({
      send: ({ target, text }) => sent.push(`${target} ${text}`),
      ...{ isReady, clock: () => clock.now, rate: { burst: 2, everySeconds: 1 } },
    })
    const push = (text: string, priority: OutgoingLine['priority'] = 'announcement', target = '#a') =>
      queue.push({ command: 'PRIVMSG', target, text, priority })
    const passTo = (now: number) => {
      clock.now = now
      queue.flush()
    }
    return { ...queue, push, passTo, sent }
  }

  it('sends a burst, then one line after the other, answers first', () => {
    const { push, passTo, sent, stop } = openQueue()
    for (const text of ['1', '2', '3', '4']) push(text)
    push('answer', 'answer', 'nick')
    expect(sent).toEqual(['#a 1', '#a 2'])
    passTo(1000)
    expect(sent.slice(2)).toEqual(['nick answer'])
    passTo(1999)
    expect(sent).toHaveLength(3)
    passTo(3000)
    expect(sent.slice(3)).toEqual(['#a 3', '#a 4'])
    stop()
  })

  it('keeps lines for channels that are not joined yet, but at most a minute', () => {
    const ready = new Set<string>(['#b'])
    const { push, passTo, sent, stats } = openQueue((target) => ready.has(target))
    push('first')
    push('second', 'announcement', '#b')
    expect(sent).toEqual(['#b second'])
    passTo(30_000)
    push('third')
    passTo(60_001)
    ready.add('#a')
    passTo(60_002)
    expect(sent).toEqual(['#b second', '#a third'])
    expect(stats()).toEqual({ waiting: 0, sent: 2, dropped: 1 })
  })

  it('is bounded, and drops the oldest announcements first', () => {
    let isReady = false
    const { push, passTo, sent, stats, stop } = openQueue(() => isReady)
    push('answer', 'answer', 'nick')
    for (let line = 0; line < 100; line++) push(String(line))
    expect(stats()).toMatchObject({ waiting: 30, dropped: 71 })
    isReady = true
    passTo(1)
    expect(sent).toEqual(['nick answer', '#a 71'])
    stop()
  })

  it('sends clean lines of a bounded length, and no empty ones', () => {
    const { push, sent, stats } = openQueue()
    push(`x\r\nQUIT ${'ä'.repeat(600)}`)
    push('\x02\x02')
    expect(sent[0]).toMatch(/^#a x QUIT ä+…$/)
    expect(Buffer.byteLength(`PRIVMSG ${sent[0]?.replace(' ', ' :')}`)).toBeLessThanOrEqual(MAX_LINE_BYTES)
    push('x'.repeat(600), 'announcement', '#ромашка')
    expect(Buffer.byteLength(`PRIVMSG ${sent[1]?.replace(' ', ' :')}`)).toBeLessThanOrEqual(MAX_LINE_BYTES)
    expect(stats()).toMatchObject({ waiting: 0, sent: 2 })
  })
})
