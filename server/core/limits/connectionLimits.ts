const SECOND = 1000

/**
 * How long a client may take, and how many connections there may be. Each guards sockets: without it a few hundred
 * clients that do nothing, slowly, would keep everybody else out.
 */
export const CONNECTION_LIMITS = {
  /** to send the whole head; a silent newcomer counts as sending one */
  headMs: 15 * SECOND,
  /** to send a request to its end: 5 MiB pass at 140 kbit/s, the worst of mobile links */
  requestMs: 300 * SECOND,
  /** neither side gets a byte through: who does not read the answer, above all. Live connections are pinged more often */
  idleMs: 120 * SECOND,
  /** between two requests */
  keepAliveMs: 72 * SECOND,
  /** how often these times are looked at, and those of bodies */
  checkMs: 5 * SECOND,
  bodyCheckMs: SECOND,
  /** a body may pause so long, as a phone in a tunnel does */
  bodySilentMs: 20 * SECOND,
  /** what a body has to bring, besides its pauses */
  bodyBytesPerSecond: 1024,
  /** of a body that was refused so much longer is thrown away, so that the answer is read before the end */
  refusedBodyMs: 15 * SECOND,
  /** and so long it may pause */
  refusedBodySilentMs: SECOND,
  /** besides those of the radio's listeners */
  connections: 8000,
  /** of one public address: a lecture hall behind one router, not a machine that collects sockets */
  connectionsPerAddress: 512,
  /** sent at once over one connection, before the first is answered; browsers send one, and each may hold a file open */
  requestsPerConnection: 32,
}
export type ConnectionLimits = typeof CONNECTION_LIMITS
