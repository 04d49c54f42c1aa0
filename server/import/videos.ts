import { readHtml } from '#server/features/news/feed/content/readHtml.ts'

/** Attributes with the URL of a video, by the element of a player. */
const ATTRIBUTES = new Map([
  ['a', 'href'],
  ['iframe', 'src'],
  ['embed', 'src'],
  ['video', 'src'],
  ['source', 'src'],
])
const YOUTUBE_PLAYER = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/(?:embed|v)\/([\w-]+).*$/i

/** Finds the URL of a video in vichan's field `embed`, which contains the URL, or the HTML of a player. */
export function findVideoUrl(embed: string): string | null {
  if (!embed.trim().startsWith('<')) return toWebUrl(embed)
  let found: string | null = null
  readHtml(embed, {
    tag: ({ name, attributes, closing }) => {
      if (!closing) found = toWebUrl(attributes.get(ATTRIBUTES.get(name) ?? '') ?? '')
      return found === null
    },
  })
  return found
}

/** @param text a URL, perhaps without its scheme */
function toWebUrl(text: string): string | null {
  const url = text.trim().replace(/^\/\//, 'https://')
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null
  return new URL(url).href.replace(YOUTUBE_PLAYER, 'https://www.youtube.com/watch?v=$1')
}
