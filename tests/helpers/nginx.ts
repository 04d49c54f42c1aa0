import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from './freePort.ts'

const CONFIG = fileURLToPath(new URL('../../deploy/nginx.conf', import.meta.url))

/** `plainOrigin` only redirects. */
export type Nginx = {
  origin: string
  plainOrigin: string
  port: number
  child: ChildProcess
  stop: () => Promise<void>
}

/**
 * Starts nginx with `deploy/nginx.conf` in front of a site, without TLS and with all files in `folder`. Files there that
 * are named `more-*.conf` or `dtp.d/*.conf` belong to its configuration.
 * @param command programs before nginx, to bind it to a core
 * @throws Error with the output of nginx if it does not start
 */
export async function startNginx(
  nginx: string,
  folder: string,
  sitePort: number,
  [command = nginx, ...args]: string[] = [],
): Promise<Nginx> {
  const [port, plainPort] = [await freePort(), await freePort()]
  const shipped = await readFile(CONFIG, 'utf8')
  const server = shipped
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace('listen 80', `listen 127.0.0.1:${plainPort}`)
    .replace(/^\s*ssl_.*$/gm, '')
    .replace('server 127.0.0.1:3000', `server 127.0.0.1:${sitePort}`)
    .replace('/etc/nginx/dtp.d/', join(folder, 'dtp.d/'))
    .replace('/var/cache/nginx/dtp', join(folder, 'cache'))
    .replace(/access_log .*;/, 'access_log off;')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  await mkdir(folder, { recursive: true })
  const main = join(folder, 'nginx.conf')
  await writeFile(
    main,
    `daemon off; worker_processes 1; pid ${join(folder, 'pid')}; error_log stderr error;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
${paths.join('\n')}
# as in Debian's nginx.conf
sendfile on; tcp_nopush on; keepalive_requests 1000000;
${server}
include ${join(folder, 'more-*.conf')};
}`,
  )
  const own = ['-p', folder, '-e', 'stderr', '-c', main]
  const child = spawn(command, args.length > 0 ? [...args, nginx, ...own] : own, {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const origin = `http://127.0.0.1:${port}`
  while (!(await fetch(`${origin}/healthz`).catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`nginx exited with ${child.exitCode}: ${output}`)
    await sleep(20)
  }
  return {
    origin,
    plainOrigin: `http://127.0.0.1:${plainPort}`,
    port,
    child,
    stop: async () => {
      if (child.exitCode !== null) return
      child.kill('SIGQUIT')
      const kill = setTimeout(() => child.kill('SIGTERM'), 1000)
      await once(child, 'exit')
      clearTimeout(kill)
    },
  }
}
