/** The parts of irc-framework that we use. The package has no types. */
declare module 'irc-framework/src/client.js' {
  import type { EventEmitter } from 'node:events'
  import type NetTransport from 'irc-framework/src/transports/net.js'

  export type ClientOptions = {
    host: string
    port: number
    tls: boolean
    rejectUnauthorized: boolean
    nick: string
    username: string
    gecos: string
    /** answer to CTCP VERSION; empty for no answer */
    version: string
    account?: { account: string; password: string }
    sasl_disconnect_on_fail: boolean
    auto_reconnect: boolean
    /** in seconds */
    ping_interval: number
    ping_timeout: number
    transport: typeof NetTransport
  }

  type RawMiddleware = (command: string, message: unknown, line: string, client: IrcClient, next: () => void) => void
  type Stack = { use: (middleware: RawMiddleware) => void }

  export default class IrcClient extends EventEmitter {
    user: { nick: string }
    network: { options: Record<string, unknown> }
    connection: { end: (line: string | null, isError: boolean) => void }
    connect(options: ClientOptions): void
    use(add: (client: IrcClient, raw: Stack) => void): void
    raw(...parts: string[]): void
    quit(reason: string): void
    caseCompare(a: string, b: string): boolean
    caseLower(text: string): string
  }
}

declare module 'irc-framework/src/transports/net.js' {
  import type { EventEmitter } from 'node:events'

  export default class NetTransport extends EventEmitter {
    incoming_buffer: Buffer
    close(force: boolean): void
    onSocketData(data: Buffer): void
  }
}
