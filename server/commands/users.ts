import { z } from 'zod'
import { runCommand, usageError } from '#server/core/cli/command.ts'
import { readSecretLine } from '#server/core/cli/terminal.ts'
import { changePassword, changeRole, createUser, listUsers, removeUser } from '#server/features/auth/service.ts'
import { chosenPassword } from '#src/contract/auth.ts'
import { ROLES } from '#src/contract/user.ts'

const USAGE = `npm run users -- list
npm run users -- add EMAIL [admin|member]     the password is read from standard input
npm run users -- passwd EMAIL                 ends the user's sessions
npm run users -- role EMAIL admin|member
npm run users -- remove EMAIL`

const email = z.email('That is no email address').max(254)
const role = z.enum(ROLES, `A role is one of ${ROLES.join(', ')}`)

runCommand(USAGE, async (services, [action, address, third]) => {
  if (action === 'list' && !address) {
    for (const user of await listUsers(services.db)) {
      process.stdout.write(`${user.email}\t${user.role}\t${user.createdAt.toISOString().slice(0, 10)}\n`)
    }
    return
  }
  if (!action || !address) throw usageError()
  // Only a new user needs an email address that others know too: the first admin is admin@localhost.
  const who = (action === 'add' ? email.parse(address) : address).toLowerCase()
  switch (action) {
    case 'add': {
      const as = role.parse(third ?? 'member')
      await createUser(services.db, {
        email: who,
        role: as,
        password: chosenPassword.parse(await readSecretLine('Password: ')),
      })
      return say(`Added ${who} as ${as}`)
    }
    case 'passwd':
      await changePassword(services, who, chosenPassword.parse(await readSecretLine('New password: ')))
      return say(`Changed the password of ${who}; all sessions have ended`)
    case 'role':
      await changeRole(services.db, who, role.parse(third))
      return say(`${who} is ${third} now`)
    case 'remove':
      await removeUser(services, who)
      return say(`Removed ${who}`)
    default:
      throw usageError()
  }
})

const say = (line: string) => void process.stdout.write(`${line}\n`)
