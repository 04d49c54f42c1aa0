import { printOutput, readSecretLine } from '#server/core/cli/terminal.ts'
import { createUser } from '#server/features/auth/service.ts'
import { changeRole, listUsers, removeUser, resetPassword, resetSecondFactor } from '#server/features/auth/users.ts'
import {
  allowStreamer,
  changeStreamer,
  removeStreamer,
  renewStreamPassword,
} from '#server/features/streamer/service.ts'
import { chosenPassword, newUser, roleChange } from '#src/contract/auth.ts'
import { newStreamer, streamerChange } from '#src/contract/streamer.ts'
import { type CommandServices, runCommand, UsageError } from './command.ts'

const USAGE = `npm run users -- list                         lists all users
npm run users -- add EMAIL [admin|member]     adds a user; reads the password from standard input
npm run users -- passwd EMAIL                 changes the password and ends all sessions of the user
npm run users -- role EMAIL admin|member      changes the role
npm run users -- reset-factor EMAIL           removes the second factor and ends all sessions of the user
npm run users -- streamer EMAIL NAME          lets the user stream under a name, and prints the streaming password
npm run users -- streamer EMAIL OPTION        OPTION: --renew prints a new password, --rename NAME,
                                              --off and --on disable and enable, --remove
npm run users -- remove EMAIL                 removes the user`

runCommand(USAGE, async (services, [action, emailArgument, roleArgument, ...rest]) => {
  if (action === 'list' && !emailArgument) {
    for (const user of await listUsers(services)) {
      const streams =
        user.streamer && `\tstreamer ${user.streamer.name}${user.streamer.isDisabled ? ' (disabled)' : ''}`
      printOutput(`${user.email}\t${user.role}\t${user.createdAt.toISOString().slice(0, 10)}${streams ?? ''}`)
    }
    return
  }
  const takesRole = action === 'add' || action === 'role'
  const isExcess = action !== 'streamer' && (takesRole ? rest[0] : roleArgument) !== undefined
  if (!action || !emailArgument || isExcess) throw new UsageError()
  const userEmail = emailArgument.toLowerCase()
  switch (action) {
    case 'add': {
      const { email, role } = newUser.parse({ email: userEmail, role: roleArgument ?? 'member' })
      const password = chosenPassword.parse(await readSecretLine('Password: '))
      await createUser(services.db, { email, role, password })
      return printOutput(`Added ${email} as ${role}`)
    }
    case 'passwd':
      await resetPassword(services, userEmail, chosenPassword.parse(await readSecretLine('New password: ')))
      return printOutput(`Changed the password of ${userEmail}; all sessions are ended`)
    case 'role':
      await changeRole(services.db, roleChange.parse({ email: userEmail, role: roleArgument }))
      return printOutput(`${userEmail} is now ${roleArgument}`)
    case 'reset-factor':
      await resetSecondFactor(services, userEmail)
      return printOutput(`Removed the second factor of ${userEmail}; all sessions are ended`)
    case 'streamer':
      return manageStreamer(services, userEmail, roleArgument, rest)
    case 'remove':
      await removeUser(services, userEmail)
      return printOutput(`Removed ${userEmail}`)
    default:
      throw new UsageError()
  }
})

async function manageStreamer(
  services: CommandServices,
  email: string,
  option: string | undefined,
  rest: string[],
): Promise<void> {
  const change = (fields: object) => changeStreamer(services, streamerChange.parse({ email, ...fields }))
  if (option !== '--rename' && option?.startsWith('--') && rest.length > 0) throw new UsageError()
  switch (option) {
    case '--renew':
      return printOutput((await renewStreamPassword(services, email)).password)
    case '--rename':
      return printOutput(`${email} now streams as ${(await change({ name: rest.join(' ') })).name}`)
    case '--off':
      await change({ isDisabled: true })
      return printOutput(`Disabled the streamer ${email}; all sources are disconnected`)
    case '--on':
      await change({ isDisabled: false })
      return printOutput(`Enabled the streamer ${email}`)
    case '--remove':
      await removeStreamer(services, email)
      return printOutput(`${email} may no longer stream`)
    default: {
      if (!option || option.startsWith('--')) throw new UsageError()
      const name = [option, ...rest].join(' ')
      return printOutput((await allowStreamer(services, newStreamer.parse({ email, name }))).password)
    }
  }
}
