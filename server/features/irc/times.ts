/** All times of the bot in ms, and the pace of its lines. Tests use shorter ones. */
export const IRC_TIMES = {
  /** The time until the next attempt doubles. After a connection of the length `stable`, the delays begin again. */
  reconnect: { first: 2000, max: 300_000, stable: 60_000 },
  connection: {
    /** time until the server accepts the bot; otherwise a server that does not answer would keep it forever */
    register: 60_000,
    /** time between attempts to get the wanted nick back */
    regain: 30_000,
    /** time for the server to close the connection after QUIT; the site's shutdown waits for it */
    quit: 700,
    /** time between checks of the channels */
    tick: 1000,
    channels: {
      /** time until the next attempt after a failed join; doubles with each attempt */
      retry: 30_000,
      maxRetry: 600_000,
      /** times until the bot joins again after each kick; after the last one it stays out until the next connection */
      afterKick: [30_000, 120_000, 600_000],
    },
  },
  announcements: {
    /** the thread of a show is opened after the show has begun */
    show: 3000,
    /** threads of a moment are read with one query */
    threads: 2000,
    /** a summary of the threads beyond the limit follows after this time */
    threadWindow: 60_000,
    /** feeds are fetched one after the other, and their articles go on one line */
    news: 60_000,
    /** minimum time between two lines with news */
    newsInterval: 600_000,
  },
  /** Stays below the limits at which servers disconnect a client (commonly five lines, then one every two seconds). */
  lines: { burst: 4, everySeconds: 2 },
}
export type IrcTimes = typeof IRC_TIMES
