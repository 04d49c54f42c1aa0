import type { Catalogue } from '#src/i18n/types.ts'

export default {
  bits: '{bits} Bit',
  classesText:
    'Mindestens ein Kleinbuchstabe, ein Großbuchstabe, eine Ziffer und ein Sonderzeichen. Fehlt etwas davon, wird neu gezogen.',
  classesTitle: 'Vier Arten von Zeichen',
  copied: 'Passwort in die Zwischenablage kopiert!',
  description: 'Starke zufällige Passwörter mit 8, 12 oder 16 Zeichen. Dein Browser erzeugt sie; nichts wird gesendet.',
  entropy: 'Entropie',
  evenText: 'Alle {count} Zeichen sind an jeder Stelle gleich wahrscheinlich.',
  evenTitle: 'Keine Lieblinge',
  generate: 'Neues Passwort erzeugen',
  generated: 'Erzeugtes Passwort',
  generator: 'Generator',
  lead: 'Starke zufällige Passwörter, erzeugt in deinem Browser. Niemand sonst sieht sie.',
  length: 'Passwortlänge',
  localText: 'Nichts wird gesendet oder gespeichert. Einmal geladen, geht die Seite auch offline: Probier es aus.',
  localTitle: 'Verlässt nie deinen Browser',
  medium: 'Mittel',
  needsScript: 'Diese Seite braucht JavaScript: Dein Browser erzeugt das Passwort, damit unser Server es nie sieht.',
  randomText: 'Erzeugt mit crypto.getRandomValues, das dein Browser auch für Schlüssel benutzt.',
  randomTitle: 'Kryptografischer Zufall',
  securityFeatures: 'Sicherheit',
  strength: 'Stärke',
  strong: 'Stark',
  title: 'Passwortgenerator',
  weak: 'Schwach',
} satisfies Catalogue['password']
