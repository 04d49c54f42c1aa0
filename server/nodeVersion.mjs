// Refuses a Node.js that is too old. Imported first, because the errors of other modules name only what they miss in it.
const { node } = process.versions
const [major, minor] = node.split('.').map(Number)
if (major < 20 || major === 21 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Node.js ${node} is too old: the site needs version 22 or newer. See https://nodejs.org/en/download\n`,
  )
  process.exit(1)
}
