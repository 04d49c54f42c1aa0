const SECOND = 1000

/** Limits slow clients: otherwise they could keep connections open until no other client can connect. */
export const CONNECTION_LIMITS = {
  /** maximum time for the request head, including the time before the first byte */
  headMs: 15 * SECOND,
  /** maximum time for a whole request: enough for 5 MiB over a bad mobile link (140 kbit/s) */
  requestMs: 300 * SECOND,
  /** maximum time without any bytes on a connection; the server pings event connections more often */
  idleMs: 120 * SECOND,
  keepAliveMs: 72 * SECOND,
  /** how often the server checks the times above */
  checkMs: 5 * SECOND,
  /** maximum time to discard the rest of a rejected body; some clients read the response only after the body */
  refusedBodyMs: 15 * SECOND,
  /** maximum bytes to discard of a rejected body: at full speed, gigabytes arrive in that time */
  refusedBodyBytes: 128 * 1024 * 1024,
  /** all connections except radio listeners */
  connections: 8000,
  /** per public IP address; enough for a lecture hall behind one router */
  connectionsPerAddress: 512,
  /** limits pipelined requests, because each can hold a file open; browsers do not pipeline */
  requestsPerConnection: 32,
}
export type ConnectionLimits = typeof CONNECTION_LIMITS
