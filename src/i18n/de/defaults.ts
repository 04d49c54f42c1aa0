import type { Catalogue } from '#src/i18n/types.ts'

export default {
  description:
    'Eine Technik- und Hacking-Community, die im IRC lebt. Rede in den Channels mit, schreib ohne Konto in den Boards und hör beim Arbeiten mit.',
  mission1:
    'Dinge auseinandernehmen, um sie zu verstehen, und teilen, was wir finden: den Quelltext, den Schaltplan, den Dump.',
  mission2: 'Die Frage beantworten, die gestellt wurde, und dann die dahinter. Alle waren einmal neu.',
  mission3: 'Den Ort offen halten. Zum Lesen, Hören und Schreiben brauchst du weder Konto noch richtigen Namen.',
  radio: 'Die Musik dieser Website',
  story1:
    'Wir sind zuerst ein IRC-Netz und dann eine Website. Leute kommen mit einem Absturz, den sie sich nicht erklären können, oder mit einer Platine, die nicht startet, und bleiben wegen der Leute, wegen des Radios und weil ihnen jemand sagt, warum es kaputtging.',
  story2:
    'Alles andere ist um diese Channels herum gewachsen: ein Stream zum gemeinsamen Hören, Boards für alles, was mehr als eine Zeile Chat braucht, und kleine Werkzeuge für das, was wir jeden Tag teilen.',
  tagline: 'Wir nehmen Dinge auseinander und lassen das Radio an.',
} satisfies Catalogue['defaults']
