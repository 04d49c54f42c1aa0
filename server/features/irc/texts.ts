/** Commands that people type in the channels of the bot, or in private messages to it. */
export const IRC_COMMANDS = ['np', 'next', 'fave', 'request', 'thread', 'help'] as const
export type IrcCommand = (typeof IRC_COMMANDS)[number]

/** Longest parts of a line, in bytes: the URLs behind them must fit on the line too. `words`: characters of a request. */
export const ircLimits = { title: 160, name: 60, listed: 70, url: 120, words: 100 } as const

type Show = { streamer: string; title: string | null }
type Track = { artist: string; title: string }

const nameShow = ({ streamer, title }: Show) => (title === null ? streamer : `${title} with ${streamer}`)
const nameTrack = ({ artist, title }: Track) => (artist === '' ? title : `${artist} - ${title}`)
const counted = (count: number, one: string, several: string) => `${count} ${count === 1 ? one : several}`

/** Lines that the bot sends. Their parts are already cleaned and cut. */
export const ircTexts = {
  showStarts: (show: Show, url: string, threadUrl: string | null) =>
    `On air: ${nameShow(show)} | listen: ${url}${threadUrl === null ? '' : ` | discuss: ${threadUrl}`}`,
  showEnds: (show: Show, threadUrl: string | null) =>
    `The show is over: ${nameShow(show)}${threadUrl === null ? '' : ` | discuss: ${threadUrl}`}`,
  track: (track: Track, streamer: string | null) =>
    `Now playing: ${nameTrack(track)}${streamer === null ? '' : ` (with ${streamer})`}`,
  thread: (boardId: string, title: string, url: string) => `New thread on /${boardId}/: ${title} | ${url}`,
  moreThreads: (count: number, url: string) => `${counted(count, 'more new thread', 'more new threads')}: ${url}`,
  article: (title: string, source: string, url: string) => `News: ${title} (${source}) | ${url}`,
  articles: (count: number, titles: string[], url: string) => `${count} new articles: ${titles.join(' · ')} | ${url}`,
  alert: (title: string, boards: string, url: string) => `${title}${boards === '' ? '' : `: ${boards}`} | ${url}`,

  nowPlaying: (track: Track, streamer: string | null, url: string) => `${ircTexts.track(track, streamer)} | ${url}`,
  noTrack: 'The site does not know the current track.',
  keepTrack: (track: Track, url: string) =>
    `For you to keep: ${nameTrack(track)} | To mark favourites, open the player on ${url}`,
  next: (show: Show, time: string, url: string) => `Next show: ${nameShow(show)}, ${time} | ${url}`,
  noShow: 'No show is scheduled.',
  showThread: (title: string, url: string) => `Thread of the show: ${title} | ${url}`,
  latestThread: (boardId: string, title: string, url: string) => `Latest thread, on /${boardId}/: ${title} | ${url}`,
  noThread: 'There is no thread yet.',
  requested: (track: Track) => `Requested: ${nameTrack(track)}`,
  requestUsage: 'Add words of the artist or the title: !request WORDS',
  requestsOff: 'This station takes no song requests.',
  failed: 'That did not work. Please try again later.',
  help: '!np: the current track · !next: the next show · !fave: sends you the current track, to keep · !request WORDS: requests a song · !thread: the thread of the show, or the latest one',
  quit: 'The site restarts',
} as const
