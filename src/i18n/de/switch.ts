export default {
  holdPosts: 'Ein Moderator prüft neue Beiträge, bevor sie erscheinen.',
  membersThreads: 'Im Moment können nur Mitglieder Threads erstellen. Kommentieren können alle.',
  membersThreadsRefusal: 'Im Moment können nur Mitglieder Threads erstellen.',
  pastesOff: 'Im Moment können keine Pastes erstellt werden.',
  proofOfWork:
    'Auf den Boards ist viel los. Dein Browser löst vor jedem Beitrag ein Rätsel, und manche Beiträge warten auf eine Prüfung.',
  readOnly: 'Die Website kann im Moment nur gelesen werden.',
  readOnlyRefusal: 'Die Website kann im Moment nur gelesen werden. Bitte versuche es später noch einmal.',
  textOnly: 'Beiträge bestehen im Moment nur aus Text.',
  textOnlyRefusal: 'Beiträge bestehen im Moment nur aus Text. Bitte schreib ohne Bild.',
  uploadsOff: 'Im Moment können keine Bilder hochgeladen werden.',
}
