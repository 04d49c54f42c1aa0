#!/usr/bin/env bash
# OpenAPI 3.1 calls that take JSON or a form, or JSON or raw bytes, as upload calls do, generated for fetch.
# Expected: an object is sent as JSON, with its content type, as by a call that takes only JSON.
# Seen: Orval sends it without its type, so as plain text. Beside raw bytes, it sends `[object Object]`, and the code does
# not compile.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' >package.json
npm install --no-save --no-audit --no-fund --silent orval@8.38.0 typescript@5.9.3

cat >check.mjs <<'EOF'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import ts from 'typescript'

const object = (name) => ({ schema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] } })
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  response.end(JSON.stringify({ received: `${request.headers['content-type']}: ${body}` }))
}).listen(0, '127.0.0.1')
await once(server, 'listening')

async function send(name, content) {
  const call = {
    operationId: 'addPaste',
    requestBody: { required: true, content },
    responses: { 200: { description: 'Done', content: { 'application/json': object('received') } } },
  }
  const document = { openapi: '3.1.0', info: { title: 'Pastes', version: '1' }, paths: { '/paste': { post: call } } }
  writeFileSync(`${name}.json`, JSON.stringify(document))
  const url = `http://127.0.0.1:${server.address().port}`
  const output = ['--output', `${name}.ts`, '--client', 'fetch']
  execFileSync('node_modules/.bin/orval', ['--input', `${name}.json`, ...output], { stdio: 'ignore' })
  const source = readFileSync(`${name}.ts`, 'utf8').replace('return `/paste`', `return '${url}/paste'`)
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  writeFileSync(`${name}.mjs`, ts.transpileModule(source, { compilerOptions: options }).outputText)
  const { addPaste } = await import(`./${name}.mjs`)
  return (await addPaste({ content: 'hello' })).data.received
}

const json = { 'application/json': object('content') }
const expected = await send('json', json)
const orForm = await send('orForm', { ...json, 'multipart/form-data': object('content') })
const orBytes = await send('orBytes', { ...json, 'application/octet-stream': {} })
server.close()
console.log('orval 8.38.0', { expected, seen: { orForm, orBytes } })
const isAsDescribed =
  expected === 'application/json: {"content":"hello"}' &&
  orForm === 'text/plain;charset=UTF-8: {"content":"hello"}' &&
  orBytes === 'text/plain;charset=UTF-8: [object Object]'
process.exitCode = isAsDescribed ? 0 : 1
EOF
node check.mjs
