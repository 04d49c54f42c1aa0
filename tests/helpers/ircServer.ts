import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IrcPrograms } from '#tests/setup/irc.ts'
import { freePort } from './freePort.ts'
import { end, until } from './icecast.ts'

export const ACCOUNT = { account: 'dtpbot', password: 'only-for-tests' }

export type IrcServer = {
  port: number
  tlsPort: number
  /** certificate of the server, which signs itself */
  certificate: string
  start: () => Promise<void>
  stop: () => Promise<void>
  /** connects a person */
  join: (nick: string, channels?: string[]) => Promise<IrcPerson>
  close: () => Promise<void>
}

export type IrcPerson = {
  /** received lines, oldest first */
  lines: string[]
  send: (line: string) => void
  /** waits for a line that was not yet found, and returns it */
  find: (pattern: RegExp, withinMs?: number) => Promise<string>
  leave: () => Promise<void>
}

/** Starts an IRC server with TLS, and its services with the account of the bot. */
export async function startIrcServer({ inspircd, atheme, openssl }: IrcPrograms): Promise<IrcServer> {
  const dir = await mkdtemp(join(tmpdir(), 'irc-'))
  const [port, tlsPort, linkPort] = [await freePort(), await freePort(), await freePort()]
  await mkdir(join(dir, 'data'))
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', join(dir, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync(openssl, ['req', '-x509', ...key, ...subject, '-days', '2', '-out', join(dir, 'cert.pem')], {
    stdio: 'ignore',
  })
  await writeFile(join(dir, 'inspircd.conf'), serverConfiguration({ dir, port, tlsPort, linkPort }))
  await writeFile(join(dir, 'atheme.conf'), servicesConfiguration(linkPort))
  let processes: ChildProcess[] = []
  const people = new Set<Socket>()

  const server: IrcServer = {
    ...{ port, tlsPort, certificate: await readFile(join(dir, 'cert.pem'), 'utf8') },
    async start() {
      const asRoot = process.getuid?.() === 0 ? ['--runasroot'] : []
      const files = ['-l', join(dir, 'atheme.log'), '-p', join(dir, 'atheme.pid'), '-D', join(dir, 'data')]
      processes = [
        spawn(inspircd, [...asRoot, '--nofork', '--config', join(dir, 'inspircd.conf')], { cwd: dir, stdio: 'ignore' }),
      ]
      await until(() => isOpen(port))
      processes.push(spawn(atheme, ['-n', '-c', join(dir, 'atheme.conf'), ...files], { cwd: dir, stdio: 'ignore' }))
      const person = await server.join('starter')
      // The services are linked when NickServ is online.
      await until(async () => {
        person.send('ISON NickServ')
        return /NickServ/.test(await person.find(/ 303 /))
      })
      await person.leave()
    },
    async stop() {
      const [ircServer, services] = processes
      // The services store their accounts when they end.
      if (services) await end(services, 'SIGTERM')
      if (ircServer) await end(ircServer)
    },
    async join(nick, channels = []) {
      const person = await connectPerson(port, nick, people)
      for (const channel of channels) {
        person.send(`JOIN ${channel}`)
        await person.find(new RegExp(` 366 ${nick} ${channel} `))
      }
      return person
    },
    async close() {
      for (const socket of people) socket.destroy()
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
  await server.start()
  const owner = await server.join(ACCOUNT.account)
  owner.send(`PRIVMSG NickServ :REGISTER ${ACCOUNT.password} bot@irc.test`)
  await owner.find(/NickServ.* NOTICE .*registered/i)
  await owner.leave()
  return server
}

async function connectPerson(port: number, nick: string, people: Set<Socket>): Promise<IrcPerson> {
  const socket = connect(port, '127.0.0.1')
  people.add(socket)
  const lines: string[] = []
  let found = 0
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    const parts = `${rest}${text}`.split('\r\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      if (line.startsWith('PING')) socket.write(`PONG${line.slice(4)}\r\n`)
      else lines.push(line)
    }
  })
  socket.on('error', () => {})
  const send = (line: string) => socket.write(`${line}\r\n`)
  const person: IrcPerson = {
    lines,
    send,
    async find(pattern, withinMs = 10_000) {
      let at = -1
      await until(() => {
        at = lines.findIndex((line, index) => index >= found && pattern.test(line))
        return at !== -1
      }, withinMs).catch(() => {
        throw new Error(`No line matches ${pattern}:\n${lines.slice(-20).join('\n')}`)
      })
      found = at + 1
      return lines[at] as string
    },
    async leave() {
      const closed = once(socket, 'close')
      send('QUIT')
      await closed
      people.delete(socket)
    },
  }
  send(`NICK ${nick}`)
  send(`USER ${nick} 0 * :${nick}`)
  await person.find(/ 001 /)
  return person
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } finally {
    socket.destroy()
  }
}

type Places = { dir: string; port: number; tlsPort: number; linkPort: number }

/** Limits of the server's own are off: the tests check those of the bot. */
const serverConfiguration = ({ dir, port, tlsPort, linkPort }: Places) => `
<server name="irc.test" description="Test" id="1AA" network="Test">
<admin name="Test" nick="test" email="admin@irc.test">
<bind address="127.0.0.1" port="${port}" type="clients">
<bind address="127.0.0.1" port="${tlsPort}" type="clients" sslprofile="tests">
<bind address="127.0.0.1" port="${linkPort}" type="servers">
<sslprofile name="tests" provider="gnutls" certfile="${dir}/cert.pem" keyfile="${dir}/key.pem">
<path datadir="${dir}/data" logdir="${dir}" configdir="${dir}" runtimedir="${dir}">
<pid file="${dir}/inspircd.pid">
<options prefixquit="">
<connect allow="*" timeout="20" pingfreq="60" threshold="1000" commandrate="20000" fakelag="no" localmax="50"
  globalmax="50" maxconnwarn="no" resolvehostnames="no" useident="no" softsendq="1M" hardsendq="2M" recvq="64K">
<link name="services.test" ipaddr="127.0.0.1" port="${linkPort}" allowmask="*" sendpass="link" recvpass="link">
<uline server="services.test" silent="yes">
<sasl target="services.test" requiressl="no">
${['cap', 'sasl', 'services_account', 'spanningtree', 'ssl_gnutls', 'botmode', 'ircv3', 'ircv3_accounttag', 'ircv3_servertime', 'chghost', 'sslinfo'].map((name) => `<module name="${name}">`).join('\n')}
`

const servicesConfiguration = (linkPort: number) => `
${['protocol/inspircd', 'backend/opensex', 'crypto/pbkdf2v2', 'nickserv/main', 'nickserv/register', 'saslserv/main', 'saslserv/plain'].map((name) => `loadmodule "modules/${name}";`).join('\n')}
serverinfo {
  name = "services.test"; desc = "Services"; numeric = "00A"; recontime = 1; netname = "Test";
  hidehostsuffix = "users.test"; adminname = "Test"; adminemail = "admin@irc.test";
  registeremail = "admin@irc.test"; mta = "/bin/true"; loglevel = { error; }; maxlogins = 5; maxusers = 50;
  mdlimit = 30; emaillimit = 100; emailtime = 300; auth = none; casemapping = rfc1459;
};
uplink "irc.test" { host = "127.0.0.1"; send_password = "link"; receive_password = "link"; port = ${linkPort}; };
nickserv { nick = "NickServ"; user = "NickServ"; host = "services.test"; real = "Nicks"; };
saslserv { nick = "SaslServ"; user = "SaslServ"; host = "services.test"; real = "SASL"; };
general { commit_interval = 1; };
database { };
`
