import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { deleteOrphanedFiles } from '#server/core/jobs/fileCleanup.ts'
import { createImageId } from '#server/core/storage/imageFiles.ts'
import { deleteOldArticles } from '#server/features/news/jobs.ts'
import { imageReferences } from '#server/jobs.ts'
import { type FeedEntry, rss } from '#tests/helpers/feedServer.ts'
import { afterNoon, DAY, HOUR, type NewsSite, NOON, startNewsSite } from '#tests/helpers/newsSite.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { listStoredFiles } from '#tests/helpers/storageSnapshot.ts'

let news: NewsSite
beforeAll(async () => {
  news = await startNewsSite(['/feed'])
  news.server.set('/a.png', { body: await stillImage(200, 200).png().toBuffer(), type: 'image/png' })
})
afterAll(() => news.close())
afterEach(() => news.clear())

const entry = (path: string, date?: Date): FeedEntry => ({
  title: path,
  link: `https://site.example/${path}`,
  image: news.urlOf('/a.png'),
  ...(date && { date }),
})
const list = (entries: FeedEntry[], etag = `"${entries.length}"`) =>
  news.server.set('/feed', { body: rss(entries), etag })
const titles = async () => (await news.articles()).map(({ title }) => title)
const deleteOld = () => deleteOldArticles(news.site.app.services, new AbortController().signal)
async function refreshAt(at: Date) {
  news.site.setNow(at)
  await news.refreshFeeds()
}

test('deletes articles older than 60 days with their images', async () => {
  const entries = [entry('new', afterNoon(-HOUR)), entry('old', afterNoon(-59 * DAY))]
  list(entries)
  await news.refreshFeeds()
  await news.fetchImages()
  const files = await listStoredFiles(news.site)
  expect(files).toHaveLength(2)
  await deleteOld()
  expect(await titles()).toEqual(['new', 'old'])
  const events = await news.eventCount()

  // The feed still lists the old article.
  list(entries, '"still"')
  await refreshAt(afterNoon(DAY - HOUR))
  await refreshAt(afterNoon(DAY + HOUR))
  await deleteOld()
  expect(await titles()).toEqual(['new'])
  expect(await listStoredFiles(news.site)).toEqual([(await news.articles())[0]?.image?.name])
  expect(await news.eventCount()).toBe(events + 1)
  await refreshAt(afterNoon(3 * DAY))
  expect(await titles()).toEqual(['new'])
  await deleteOld()
  expect(await news.eventCount()).toBe(events + 1)
})

test('deletes more articles than one batch', async () => {
  for (const part of [0, 1, 2]) {
    const entries = Array.from({ length: 150 }, (_, n) => entry(`${part}-${n}`, afterNoon(-HOUR)))
    list(entries, `"part ${part}"`)
    await refreshAt(afterNoon(part * DAY))
  }
  expect(await titles()).toHaveLength(450)
  news.site.setNow(afterNoon(61 * DAY))
  await deleteOld()
  expect(await titles()).toEqual([])
})

test('keeps an undated article as long as its feed lists it', async () => {
  list([entry('undated'), entry('future', new Date('3000-01-01')), entry('gone')])
  await news.refreshFeeds()
  await news.fetchImages()
  const first = (await news.articles()).map(({ id, publishedAt }) => [id, publishedAt])
  list([entry('undated'), entry('future', new Date('3000-01-01'))], '"then"')
  // From now on the feed answers with status 304.
  for (let day = 1; day < 66; day++) await refreshAt(afterNoon(day * DAY))
  await deleteOld()
  const kept = await news.articles()
  expect(kept.map(({ title }) => title)).toEqual(['undated', 'future'])
  expect(kept.map(({ id, publishedAt }) => [id, publishedAt])).toEqual(first.slice(0, 2))
  // The cleanup removes the images of hidden articles.
  expect(kept.map(({ image, imageId }) => [image, imageId])).toEqual([
    [null, null],
    [null, null],
  ])
  expect(await listStoredFiles(news.site)).toEqual([])

  list([], '"at last"')
  await refreshAt(afterNoon(66 * DAY))
  news.site.setNow(afterNoon(68 * DAY))
  await deleteOld()
  expect(await titles()).toHaveLength(2)
  news.site.setNow(afterNoon(70 * DAY))
  await deleteOld()
  expect(await titles()).toEqual([])
})

test('keeps the images of articles when orphaned files are deleted', async () => {
  list([entry('1', afterNoon(-HOUR))])
  await news.refreshFeeds()
  await news.fetchImages()
  const { files } = news.site.app.services
  const name = (await news.articles())[0]?.image?.name ?? ''
  const leftover = `${createImageId()}.webp`
  await files.put(leftover, Buffer.from('of an article that was never written'))
  for (const file of [name, leftover]) {
    await utimes(join(news.site.dataDir, 'uploads', file.slice(0, 2), file), NOON, afterNoon(-2 * HOUR))
  }
  await deleteOrphanedFiles(news.site.app.services, imageReferences)
  expect(await listStoredFiles(news.site)).toEqual([name])
})
