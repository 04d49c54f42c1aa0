import { runCommand, UsageError } from '#server/core/cli/command.ts'
import { printOutput, readSecretLine } from '#server/core/cli/terminal.ts'
import { createUser } from '#server/features/auth/service.ts'
import { changeRole, listUsers, removeUser, resetPassword, resetSecondFactor } from '#server/features/auth/users.ts'
import { chosenPassword } from '#src/contract/auth.ts'
import { newUser, roleChange } from '#src/contract/userForms.ts'

const USAGE = `npm run users -- list                         lists all users
npm run users -- add EMAIL [admin|member]     adds a user; reads the password from standard input
npm run users -- passwd EMAIL                 changes the password and ends all sessions of the user
npm run users -- role EMAIL admin|member      changes the role
npm run users -- reset-factor EMAIL           removes the second factor and ends all sessions of the user
npm run users -- remove EMAIL                 removes the user`

runCommand(USAGE, async (services, [action, emailArgument, roleArgument]) => {
  if (action === 'list' && !emailArgument) {
    for (const user of await listUsers(services)) {
      printOutput(`${user.email}\t${user.role}\t${user.createdAt.toISOString().slice(0, 10)}`)
    }
    return
  }
  if (!action || !emailArgument) throw new UsageError()
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
    case 'remove':
      await removeUser(services, userEmail)
      return printOutput(`Removed ${userEmail}`)
    default:
      throw new UsageError()
  }
})
