import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { data } from '#pages/index/+data.ts'
import { createContext } from '#server/core/context.ts'
import { type Caller, createCaller } from '#server/router.ts'
import { UNKNOWN_NOW_PLAYING } from '#src/contract/radio.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { addArticles } from '#tests/helpers/articles.ts'
import { withQueryLog } from '#tests/helpers/queryPlans.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let api: Caller
let admin: string
beforeAll(async () => {
  site = await startSite()
  api = createCaller(createContext(site.app.services, { ip: '127.0.0.1', headers: {} }))
  admin = await site.createToken('admin@example.org', 'admin')
})
afterAll(() => site.close())

const latestIds = async (count = 6) => (await api.board.latest({ count })).map(({ id }) => id)

describe('latest threads', () => {
  test('include all boards by latest activity, without deleted threads', async () => {
    const [tech, radio, gone] = [
      await createBoard(site, 'Tech', admin),
      await createBoard(site, 'Radio', admin),
      await createBoard(site, 'Gone', admin),
    ]
    const post = async (boardId: string) => (await postThread(site, boardId)).body.thread.id as number
    const [first, second, third, deleted] = [await post(tech), await post(radio), await post(tech), await post(radio)]
    await post(gone)
    await callApi(site, 'DELETE', `${BOARDS}/${radio}/threads/${deleted}`, { token: admin })
    await callApi(site, 'DELETE', `${BOARDS}/${gone}`, { token: admin })
    expect(await latestIds()).toEqual([third, second, first])
    await postComment(site, { boardId: tech, threadId: first })
    expect(await latestIds()).toEqual([first, third, second])
    expect(await latestIds(2)).toEqual([first, third])
  })

  test('are ordered by id if their activity is equal', async () => {
    site.setNow(new Date())
    const made: number[] = []
    for (let number = 0; number < 3; number++) made.push((await postThread(site, 'tech')).body.thread.id)
    site.setNow(null)
    expect(await latestIds(3)).toEqual(made.reverse())
  })

  test('contain only an excerpt and a small image of the opening post', async () => {
    const png = await stillImage(1200, 900).png().toBuffer()
    const image = new File([new Uint8Array(png)], 'x.png', { type: 'image/png' })
    const content = `${'word '.repeat(60)}\n[spoiler]the end[/spoiler]`
    const { thread } = (await postThread(site, 'tech', { title: 'With a picture', content, author: 'mira', image }))
      .body
    const [latest] = await api.board.latest({ count: 1 })
    expect(latest).toEqual({
      id: thread.id,
      boardId: 'tech',
      title: 'With a picture',
      author: 'mira',
      commentCount: 0,
      lastActivity: new Date(thread.createdAt),
      excerpt: `${'word '.repeat(40).trim()}…`,
      picture: thread.picture.preview,
    })
  })

  test.each([0, 21, 1.5, -1, '6', null, undefined])('refuses a count of %s', async (count) => {
    await expect(api.board.latest({ count: count as number })).rejects.toThrow('failure.count')
  })
})

describe('data of Home', () => {
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  /** Creates an API with the given responses. All other calls fail. */
  type Answers = Partial<Record<'latest' | 'activity' | 'news' | 'upcoming' | 'stations' | 'nowPlaying', unknown>>
  const fake = (answers: Answers) => {
    const procedure = (answer: unknown) => () =>
      answer === undefined ? Promise.reject(new Error('no answer')) : Promise.resolve(answer)
    return {
      api: {
        board: { latest: procedure(answers.latest), activity: procedure(answers.activity) },
        news: { latest: procedure(answers.news) },
        show: { upcoming: procedure(answers.upcoming) },
        radio: { stations: procedure(answers.stations), nowPlaying: procedure(answers.nowPlaying) },
      } as unknown as Caller,
    }
  }
  const stations = { stations: [{ id: 1 }], available: true }
  const never = new Promise(() => {})

  test('has six threads, five articles and the current song, from two queries', async () => {
    await addArticles(
      site.app.services.db,
      Array.from({ length: 7 }, () => ({})),
    )
    const { db, queries } = withQueryLog(site.app.services.db)
    const api = createCaller(createContext({ ...site.app.services, db }, { ip: '127.0.0.1', headers: {} }))
    // Loads the track in advance, because the home page does not wait for the first read from disk.
    await api.radio.nowPlaying({ stationId: 1 })
    // Reads the next show and counts the posts in advance, because both are kept for some seconds.
    await api.show.upcoming()
    const activity = await api.board.activity()
    const before = queries.length
    const found = await data({ api })
    const { threads, articles, nowPlaying } = found
    expect(threads).toHaveLength(6)
    expect(articles).toHaveLength(5)
    expect(found.activity).toEqual(activity)
    expect(nowPlaying).toMatchObject({ song: { title: 'Carrier Wave' }, online: true })
    expect(queries.slice(before)).toHaveLength(2)
  })

  test('omits each part that cannot be read', async () => {
    const lists = { threads: null, articles: null, activity: null }
    const nothing = { ...lists, nextShow: null, nowPlaying: null, isIncomplete: true }
    expect(await data(fake({}))).toEqual(nothing)
    expect(await data(fake({ latest: [], stations, nowPlaying: UNKNOWN_NOW_PLAYING }))).toEqual({
      ...nothing,
      threads: [],
      nowPlaying: UNKNOWN_NOW_PLAYING,
    })
    expect(await data(fake({ news: [], stations }))).toEqual({ ...nothing, articles: [] })
    expect(await data(fake({ latest: [], news: [] }))).toMatchObject({ activity: null, isIncomplete: false })
    const startsAt = new Date()
    const next = { startsAt, show: { title: 'Drones', streamer: 'ferrite', description: 'not sent' } }
    expect((await data(fake({ upcoming: { current: null, next } }))).nextShow).toEqual({
      startsAt,
      title: 'Drones',
      streamer: 'ferrite',
    })
  })

  test.each([
    ['stations', { stations: never }],
    ['the current song', { stations, nowPlaying: never }],
  ])('waits at most 300 ms for %s of the radio', async (_what, radio) => {
    vi.useFakeTimers()
    let found: unknown
    void data(fake({ latest: [], news: [], ...radio })).then((value) => {
      found = value
    })
    await vi.advanceTimersByTimeAsync(299)
    expect(found).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(found).toMatchObject({ threads: [], articles: [], nowPlaying: null, isIncomplete: false })
  })

  test('does not wait forever for a database that hangs', async () => {
    vi.useFakeTimers()
    let found: unknown
    void data(fake({ latest: never, activity: never, news: never, stations, nowPlaying: UNKNOWN_NOW_PLAYING })).then(
      (value) => {
        found = value
      },
    )
    await vi.advanceTimersByTimeAsync(5000)
    expect(found).toMatchObject({ threads: null, articles: null, nowPlaying: UNKNOWN_NOW_PLAYING, isIncomplete: true })
  })
})
