import type { Catalogue } from '#src/i18n/types.ts'

export default {
  addFactor:
    'Admins dieser Website brauchen einen zweiten Faktor. <link>Füge einen hinzu</link>, um deine Rechte zu nutzen.',
  adminLogin: '{boards} Admin-Login',
  adminOnly: 'Nur für Admins',
  codeHint: 'Gib den Code deiner Authenticator-App ein, oder einen Wiederherstellungscode.',
  codeLabel: 'Anmeldecode',
  codeWrong: 'Der Code ist falsch oder wurde schon benutzt',
  description: 'Für Admins und Moderatoren der Boards von {boards}.',
  email: 'E-Mail',
  failed: 'Anmeldung fehlgeschlagen',
  generatedPassword:
    'Dein Passwort wurde automatisch erzeugt, und andere könnten es gesehen haben. <link>Ändere dein Passwort</link>',
  invalid: 'Die Zugangsdaten stimmen nicht',
  moderation: 'Moderation',
  needsScript: 'Schalte JavaScript für diese Website ein, um dich anzumelden.',
  noAccount: 'Noch kein Konto? Ein Admin gibt dir Zugangsdaten.',
  passkeyFailed: 'Der Passkey ließ sich nicht benutzen',
  password: 'Passwort',
  sessionEnded: 'Deine Sitzung ist beendet',
  sessionEndedLead: 'Deine Sitzung ist beendet. Was du geschrieben hast, ist noch da.',
  usePasskey: 'Passkey benutzen',
} satisfies Catalogue['auth']
