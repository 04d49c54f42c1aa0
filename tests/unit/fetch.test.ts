import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createFetcher, FetchFailed, isSameServer, type ReadOptions } from '#server/core/http/fetcher.ts'
import { isPublicAddress, publicLookup } from '#server/core/security/publicAddress.ts'

describe('public IP addresses', () => {
  test.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
    ...['172.31.255.255', '192.168.0.1', '192.0.0.8', '198.18.0.1', '224.0.0.1', '239.1.1.1', '255.255.255.255'],
    ...['::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '64:ff9b::7f00:1'],
    ...['::ffff:0:7f00:1'],
    ...['fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '2001::1', '2002:7f00:1::'],
    ...['2001:db8::1', 'localhost', '', '1.2.3'],
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  test.each([true, false])('does not resolve a name with a private address (all: %s)', async (all) => {
    const error = await new Promise((resolve) => publicLookup('localhost', { all }, resolve))
    expect(error).toMatchObject({ name: 'PrivateAddressError' })
  })
})

const fetcher = createFetcher()
const servers: ReturnType<typeof createServer>[] = []
let handler: RequestListener = (_request, response) => response.end()
let [here, elsewhere] = ['', '']
const seen: { server: string; url: string; authorization?: string }[] = []

async function serve(name: string): Promise<string> {
  const server = createServer((request, response) => {
    response.on('error', () => {})
    seen.push({ server: name, url: request.url ?? '', authorization: request.headers.authorization })
    handler(request, response)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  here = await serve('here')
  elsewhere = await serve('elsewhere')
})
afterEach(() => seen.splice(0))
afterAll(async () => {
  await fetcher.close()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const trusts = (url: URL) => url.hostname === '127.0.0.1'
const read = (url: string, options: Partial<ReadOptions> = {}) =>
  fetcher.read(new URL(url), { totalMs: 10_000, maxBytes: 1000, maxRedirects: 2, trusts, ...options })
const refused = (url: string, options?: Partial<ReadOptions>) =>
  read(url, options).then(
    () => 'nothing was refused',
    (error) => (error instanceof FetchFailed ? error.message : error),
  )

describe('targets', () => {
  test.each([
    'http://127.0.0.1:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fe80::1]/',
    'http://0/',
  ])('refuses %s', async (url) => {
    expect(await refused(url, { trusts: undefined })).toBe('not a public address')
  })

  test('refuses a name with a private address', async () => {
    const url = here.replace('127.0.0.1', 'localhost')
    expect(await refused(url, { trusts: undefined })).toBe('not a public address')
    expect(seen).toEqual([])
  })

  test('refuses other protocols than http and https, and passwords in URLs', async () => {
    expect(await refused('ftp://example.org/')).toBe('neither http nor https')
    expect(await refused('file:///etc/passwd')).toBe('neither http nor https')
    expect(await refused('http://user:secret@127.0.0.1/')).toBe('a URL with credentials')
  })

  test('refuses a redirect to a private address', async () => {
    handler = (_request, response) => response.writeHead(302, { location: elsewhere }).end()
    expect(await refused(here, { trusts: (url) => url.origin === here })).toBe('not a public address')
    expect(seen).toHaveLength(1)
  })

  test('follows a limited number of redirects', async () => {
    handler = ({ url }, response) => {
      const hop = Number(url?.slice(1))
      if (hop < 2) response.writeHead(302, { location: `/${hop + 1}` }).end()
      else response.end('arrived')
    }
    expect((await read(`${here}/0`)).bytes.toString()).toBe('arrived')
    handler = (_request, response) => response.writeHead(302, { location: '/' }).end()
    expect(await refused(here)).toBe('redirected too often, or nowhere')
  })

  test('does not send a secret to another server after a redirect', async () => {
    handler = ({ url }, response) => {
      if (url === '/away') response.writeHead(307, { location: `${elsewhere}/there` }).end()
      else response.end('there')
    }
    await read(`${here}/away`, { headers: { Authorization: 'Bearer secret' } })
    expect(seen).toEqual([
      { server: 'here', url: '/away', authorization: 'Bearer secret' },
      { server: 'elsewhere', url: '/there', authorization: undefined },
    ])
  })

  test('follows no redirect that the caller rejects', async () => {
    handler = (_request, response) => response.writeHead(302, { location: elsewhere }).end()
    expect(await refused(here, { follows: (from, to) => from.origin === to.origin })).toBe('redirected elsewhere')
    handler = (_request, response) => response.writeHead(302, { location: 'http://[' }).end()
    expect(await refused(here)).toBe('redirected too often, or nowhere')
  })
})

test('reads a Location as UTF-8 if it is valid, otherwise as Latin-1', async () => {
  let encoding: BufferEncoding = 'utf8'
  handler = ({ socket, url }, response) => {
    const head = 'HTTP/1.1 302 Found\r\nLocation: /Köln\r\nContent-Length: 0\r\n\r\n'
    if (url === '/') socket.end(Buffer.from(head, encoding))
    else response.end('arrived')
  }
  expect((await read(here)).url.pathname).toBe('/K%C3%B6ln')
  encoding = 'latin1'
  expect((await read(here)).url.pathname).toBe('/K%C3%B6ln')
})

describe('streams of SHOUTcast 1', () => {
  const head = 'ICY 200 OK\r\ncontent-type: audio/mpeg\r\nicy-metaint: 8192\r\n\r\n'
  const openIcy = (url: string, silenceMs = 1000) =>
    fetcher.open(new URL(url), { headMs: 1000, silenceMs, maxRedirects: 1, trusts, acceptIcy: true })

  test('are opened, also when the status line arrives in pieces', async () => {
    handler = async ({ socket }) => {
      socket.setNoDelay(true)
      for (const piece of ['I', 'CY', ` ${head.slice(4)}sound ICY `]) {
        socket.write(piece)
        await new Promise((resolve) => setTimeout(resolve, 30))
      }
      socket.end('more')
    }
    const { status, headers, body } = await openIcy(here)
    expect({ status, headers }).toEqual({
      status: 200,
      headers: { 'content-type': 'audio/mpeg', 'icy-metaint': '8192' },
    })
    expect(String(Buffer.concat(await body.toArray()))).toBe('sound ICY more')
  })

  test('are rejected in other responses', async () => {
    handler = ({ socket }) => socket.end(`${head}sound`)
    expect(await refused(here)).toBe('HPE_INVALID_CONSTANT')
  })

  test('are subject to the same limits', async () => {
    handler = ({ socket }) => socket.write(`${head}sound`)
    const { body } = await openIcy(here, 100)
    await expect(body.toArray()).rejects.toThrow('silent for too long')
    await expect(openIcy(here.replace('127.0.0.1', 'localhost'))).rejects.toThrow('not a public address')
    handler = (_request, response) => response.writeHead(302, { location: 'http://[::1]:1/' }).end()
    await expect(openIcy(here)).rejects.toThrow('not a public address')
    for (const text of ['IC', 'ICE 200 OK\r\n\r\n', '']) {
      handler = ({ socket }) => socket.end(text)
      await expect(openIcy(here)).rejects.toBeInstanceOf(FetchFailed)
    }
    handler = ({ socket }) => socket.write('IC')
    await expect(openIcy(here)).rejects.toThrow('no answer in time')
  })
})

describe('time and size limits', () => {
  test('times out without a response, with headers only, and with a slow trickle', async () => {
    const started = performance.now()
    handler = () => {}
    expect(await refused(here, { totalMs: 200 })).toBe('no answer in time')
    handler = (_request, response) => response.writeHead(200).flushHeaders()
    expect(await refused(here, { totalMs: 200 })).toBe('no answer in time')
    handler = (_request, response) => {
      const timer = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(timer))
    }
    expect(await refused(here, { totalMs: 200 })).toBe('no answer in time')
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  test('rejects a server that sends only interim responses', async () => {
    handler = (_request, response) => {
      for (let hints = 0; hints < 10; hints++) response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.end('after all')
    }
    expect((await read(here)).bytes.toString()).toBe('after all')
    handler = ({ socket }) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10)), 1)
      socket.on('error', () => {}).on('close', () => clearInterval(timer))
    }
    expect(await refused(here, { totalMs: 3000 })).toBe('too many informational responses')
  })

  test('fails when a body stalls, but not while data arrives', async () => {
    handler = (_request, response) => response.write('sound')
    const { body } = await fetcher.open(new URL(here), { headMs: 1000, silenceMs: 200, maxRedirects: 0, trusts })
    const heard: string[] = []
    await expect(
      (async () => {
        for await (const chunk of body) heard.push(String(chunk))
      })(),
    ).rejects.toThrow('silent for too long')
    expect(heard).toEqual(['sound'])
  })

  test('fails when a body stalls after a slow read', async () => {
    handler = (_request, response) => response.write(Buffer.alloc(200_000))
    const { body } = await fetcher.open(new URL(here), { headMs: 1000, silenceMs: 100, maxRedirects: 0, trusts })
    // Starts to read only after the stall check has run.
    await new Promise((resolve) => setTimeout(resolve, 350))
    let length = 0
    await expect(
      (async () => {
        for await (const chunk of body) length += chunk.length
      })(),
    ).rejects.toThrow('silent for too long')
    expect(length).toBe(200_000)
  })

  test('lets a slow reader finish, even after the connection has closed', async () => {
    const ended = new Promise((resolve) => {
      handler = (_request, response) => response.on('close', resolve).end(Buffer.alloc(200_000))
    })
    const { body } = await fetcher.open(new URL(here), { headMs: 1000, silenceMs: 50, maxRedirects: 0, trusts })
    await ended
    await new Promise((resolve) => setTimeout(resolve, 300))
    let length = 0
    for await (const chunk of body) length += chunk.length
    expect(length).toBe(200_000)
  })

  test('does not take a busy process for a silent server', async () => {
    let finish = () => {}
    handler = (_request, response) => {
      response.flushHeaders()
      finish = () => response.end('sound')
    }
    const { body } = await fetcher.open(new URL(here), { headMs: 1000, silenceMs: 50, maxRedirects: 0, trusts })
    finish()
    for (const until = performance.now() + 150; performance.now() < until; );
    expect(String(Buffer.concat(await body.toArray()))).toBe('sound')
  })

  test('raises no unhandled error when an unread body breaks off', async () => {
    handler = (_request, response) => {
      response.write('sound')
      setTimeout(() => response.destroy(), 20)
    }
    const { body } = await fetcher.open(new URL(here), { headMs: 1000, silenceMs: 1000, maxRedirects: 0, trusts })
    if (!body.destroyed) await new Promise((resolve) => body.once('close', resolve))
  })

  test.each(['HTTP/1.0 200 OK\r\n\r\n', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n'])(
    'fails when the connection breaks in the body of %j',
    async (head) => {
      handler = ({ socket }) => {
        socket.write(`${head}sound`)
        setTimeout(() => socket.resetAndDestroy(), 50)
      }
      expect(await refused(here)).toBe('ECONNRESET')
    },
  )

  test('limits the size of a response, compressed or not', async () => {
    handler = (_request, response) => response.end('x'.repeat(1001))
    expect(await refused(here)).toBe('too large')
    handler = (_request, response) => response.end('x'.repeat(1000))
    expect((await read(here)).bytes).toHaveLength(1000)
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    handler = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    expect(await refused(here)).toBe('too large')
    handler = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('small'))
    expect((await read(here)).bytes.toString()).toBe('small')
    handler = (_request, response) => response.writeHead(200, { 'content-encoding': 'GZIP' }).end(gzipSync('loud'))
    expect((await read(here)).bytes.toString()).toBe('loud')
  })

  test('returns the beginning of a long response if that is enough, compressed or not', async () => {
    handler = (_request, response) => response.end('x'.repeat(200_000))
    expect((await read(here, { truncate: true })).bytes.toString()).toBe('x'.repeat(1000))
    const packed = gzipSync('x'.repeat(20_000_000))
    handler = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
    expect((await read(here, { truncate: true })).bytes.toString()).toBe('x'.repeat(1000))
    handler = (_request, response) => response.end('short')
    expect((await read(here, { truncate: true })).bytes.toString()).toBe('short')
  })

  test('rejects truncated, wrongly compressed and unknown encodings', async () => {
    handler = (_request, response) => {
      response.writeHead(200, { 'content-length': 500 }).write('half')
      setTimeout(() => response.destroy(), 20)
    }
    expect(await refused(here)).toBe('ECONNRESET')
    handler = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain')
    expect(await refused(here)).toBe('Z_DATA_ERROR')
    handler = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('cut off').subarray(0, 12))
    expect(await refused(here)).toBe('Z_BUF_ERROR')
    handler = (_request, response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end('x')
    expect(await refused(here)).toBe('unknown content encoding')
  })

  test.each([
    [304, 'gzip'],
    [304, 'br'],
    [204, 'zstd'],
  ])('reads an answer %i without a body whose encoding is called %s', async (status, encoding) => {
    handler = (_request, response) => response.writeHead(status, { 'content-encoding': encoding }).end()
    expect(await read(here)).toMatchObject({ status, bytes: Buffer.alloc(0) })
  })

  test.each(['none', 'UTF-8', 'identity', ''])('reads a plain body whose encoding is called %j', async (encoding) => {
    handler = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end('plain')
    expect((await read(here)).bytes.toString()).toBe('plain')
  })

  test('returns the status despite an invalid, endless or broken body', async () => {
    const readStatus = () =>
      fetcher.readStatus(new URL(here), { totalMs: 300, maxBytes: 1000, maxRedirects: 0, trusts })
    handler = (_request, response) => response.writeHead(201, { 'content-encoding': 'odd' }).end('x')
    expect(await readStatus()).toBe(201)
    handler = (_request, response) => response.writeHead(202, { 'content-length': 50 }).write('x')
    expect(await readStatus()).toBe(202)
    handler = (_request, response) => response.writeHead(203).end('x'.repeat(200_000))
    expect(await readStatus()).toBe(203)
    handler = ({ socket }) => {
      socket.write('HTTP/1.1 204 No Content\r\nContent-Length: 50\r\n\r\nx')
      setTimeout(() => socket.resetAndDestroy(), 20)
    }
    expect(await readStatus()).toBe(204)
    handler = (_request, response) => response.destroy()
    await expect(readStatus()).rejects.toThrow('ECONNRESET')
  })

  test('reports only the error code of an unreachable server', async () => {
    expect(await refused('http://127.0.0.1:1/')).toBe('ECONNREFUSED')
  })

  test('ends when the caller aborts', async () => {
    const abort = new AbortController()
    handler = () => abort.abort()
    expect(await refused(here, { signal: abort.signal })).toBe('no answer in time')
  })
})

test.each([
  ['http://a.example/x', 'http://a.example/y', true],
  ['http://a.example/x', 'https://a.example/y', true],
  ['http://a.example:80/x', 'https://a.example:443/y', true],
  ['http://a.example:8000/x', 'https://a.example/y', false],
  ['http://a.example/x', 'https://a.example:8443/y', false],
  ['http://a.example/x', 'https://b.example/y', false],
  ['https://a.example/x', 'http://a.example/y', false],
])('%s and %s have the same server: %s', (from, to, same) => {
  expect(isSameServer(new URL(from), new URL(to))).toBe(same)
})
