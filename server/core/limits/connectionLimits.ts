const SECOND = 1000

/** Guards sockets: without these limits, a few hundred slow clients would exhaust them. */
export const CONNECTION_LIMITS = {
  /** for the request head, also on a new connection without any bytes */
  headMs: 15 * SECOND,
  /** for a whole request: 5 MiB at 140 kbit/s, a bad mobile link */
  requestMs: 300 * SECOND,
  /** without any bytes; event connections are pinged more often */
  idleMs: 120 * SECOND,
  keepAliveMs: 72 * SECOND,
  /** interval of the checks of these times and of body times */
  checkMs: 5 * SECOND,
  bodyCheckMs: SECOND,
  /** longest pause of a body, for example from a phone in a tunnel */
  bodySilentMs: 20 * SECOND,
  /** minimum rate of a body between pauses */
  bodyBytesPerSecond: 1024,
  /** for the rest of a rejected body, which is discarded so that the client reads the response */
  refusedBodyMs: 15 * SECOND,
  /** longest pause of a rejected body */
  refusedBodySilentMs: SECOND,
  /** without the radio's listeners */
  connections: 8000,
  /** per public IP address: enough for a lecture hall behind one router */
  connectionsPerAddress: 512,
  /** pipelined requests; each can hold a file open, and browsers do not pipeline */
  requestsPerConnection: 32,
}
export type ConnectionLimits = typeof CONNECTION_LIMITS
