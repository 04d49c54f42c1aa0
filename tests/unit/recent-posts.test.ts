import { describe, expect, test } from 'vitest'
import { createRecentPosts } from '#server/features/moderation/admission/recentPosts.ts'
import { repeatedUnits } from '#tests/helpers/hostileTexts.ts'
import { fc } from '#tests/helpers/property.ts'

const start = new Date('2026-01-01T12:00:00Z')
const createList = () => createRecentPosts(() => start)
/** Returns which of the texts resemble several before them. */
const findRepeated = (texts: string[]) => {
  const recent = createList()
  return texts.filter((text) => recent.add(text).isRepeated)
}
const vary = (text: (number: number) => string, count = 20) => Array.from({ length: count }, (_, index) => text(index))
const random = (seed: number) => (seed * 7919 + 104_729).toString(36).replace(/\d/g, 'z') + 'qx'.repeat(seed % 4)
const rotate = (words: string[], by: number) => [...words.slice(by), ...words.slice(0, by)]

const PITCH = 'Join our chat now, everyone is leaving this dead board for the new one'
const words = PITCH.split(' ')

describe.each<[string, (number: number) => string]>([
  ['the same text', () => PITCH],
  ['a counter', (number) => `Buy spam ${number}`],
  ['a counter without a space', (number) => `Buy spam#${number}!`],
  ['a counter only', (number) => `${number * 37}`],
  ['a random id', (number) => `${PITCH} ${(number * 7_919_017 + 1_000_003).toString(16)}`],
  ['random words', (number) => `${random(number)} ${PITCH} ${random(number + 50)} ${random(number + 90)}`],
  ['shuffled words', (number) => rotate(words, number % words.length).join(' ')],
  ['a name', (number) => `Hey ${random(number)}, buy cheap pills at my shop`],
  ['the path of a link', (number) => `look http://spam.example/${random(number)}?ref=${random(number + 7)}`],
  ['a link alone', (number) => `https://spam.example/${random(number)}`],
  ['a link of random hosts', (number) => `free coins here https://${random(number)}.example`],
  ['line breaks and signs', (number) => words.join(['\n', ' - ', '...', ' ★ '][number % 4])],
  ['case', (number) => (number % 2 ? PITCH.toUpperCase() : PITCH)],
  ['zero-width characters', (number) => PITCH.replaceAll(/[aeo]/g, `$&${'\u200b'.repeat(number % 3)}`)],
  ['combining marks', (number) => PITCH.replaceAll(/[nrt]/g, `$&${'\u0336\u0317\u0347'.slice(0, number % 4)}`)],
  ['full-width letters', (number) => (number % 2 ? 'ｂｕｙ ｃｈｅａｐ ｐｉｌｌｓ' : 'buy cheap pills')],
  ['bold letters', (number) => (number % 2 ? '𝗯𝘂𝘆 𝓬𝓱𝓮𝓪𝓹 𝗽𝗶𝗹𝗹𝘀' : 'buy cheap pills')],
  ['spaced letters', (number) => `b u y s p a m ${number}`],
  ['emoji', (number) => `💊💊💊 ${number}`],
  ['Chinese', (number) => `加入我们的聊天室${'，快来吧！哦啊'.slice(0, number % 7)}`],
  ['Russian', (number) => `Заходи в наш чат ${random(number)}`],
])('spam that varies %s', (_, text) => {
  test('resembles the posts before it, except the first three', () => {
    expect(findRepeated(vary(text))).toHaveLength(20 - 3)
  })
})

test('recognizes each text of a mix', () => {
  const texts = vary(
    (number) => `${['Buy spam', PITCH, 'Visit spam.example today', 'All mods sleep'][number % 4]} ${number}`,
    60,
  )
  expect(findRepeated(texts)).toHaveLength(60 - 4 * 3)
})

test('honest posts do not resemble each other', () => {
  const texts = [
    'Has anyone here measured how much power the new heat pump draws at night?',
    'I think the old one was better, it did not need an app.',
    'I think you should try the other cable first.',
    'Same here. Mine draws 40 W when idle, which is too much for what it does.',
    'Which terminal font do you use? I went back to the one from the eighties.',
    'The radio stopped an hour ago, does it play for you?',
    'It plays here, but the title is wrong.',
    'Thanks, that fixed it.',
    'Thanks for the link! https://example.org/manual/chapter-2',
    'Look at this: https://example.net/photos/bench',
    'This one is nicer https://example.com/desk',
    'lol',
    '>>12 I agree with you, mostly.',
    '>>15 No, that is not how interrupts work on this chip.',
    'What is the best way to learn assembly?',
    'What is the cheapest laptop that runs this?',
    'I have been using it for a year and it has never crashed.',
    'Good morning from the night shift.',
    'Und wieder ein Thread über Tastaturen, schön.',
    'Кто-нибудь слушает эфир по вечерам?',
    '今夜のラジオは最高だった',
    '新しいキーボードを買いました。',
  ]
  expect(findRepeated([...texts, ...texts, ...texts])).toEqual([])
})

test('three times the same short post are not a raid, the fourth is repeated', () => {
  const posts = Array<string>(3).fill('lol')
  expect(findRepeated(posts)).toEqual([])
  expect(findRepeated([...posts, 'LOL'])).toEqual(['LOL'])
})

test('removed posts do not count', () => {
  const recent = createList()
  for (let count = 0; count < 15; count++) recent.add(PITCH).remove()
  for (let count = 0; count < 3; count++) expect(recent.add(PITCH).isRepeated).toBe(false)
  expect(recent.add(PITCH).isRepeated).toBe(true)
})

test('forgets posts after ten minutes', () => {
  let now = start
  const recent = createRecentPosts(() => now)
  for (let count = 0; count < 3; count++) recent.add(PITCH)
  now = new Date(start.getTime() + 9 * 60_000)
  expect(recent.add(PITCH).isRepeated).toBe(true)
  now = new Date(start.getTime() + 11 * 60_000)
  expect(recent.add(PITCH).isRepeated).toBe(false)
})

test('recognizes any text that is repeated', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(findRepeated(Array<string>(4).fill(text))).toEqual([text])
    }),
  )
})

test.each(Object.entries(repeatedUnits))('handles long posts of %s', (_, create) => {
  const text = create(20_000)
  expect(findRepeated(Array<string>(4).fill(text))).toEqual([text])
})
