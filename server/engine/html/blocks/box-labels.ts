/** The heading of a box in a text, in the languages of the texts of agents and of frequent manuals. */
const boxLabels = new Set(
  (
    'note|notes|warning|caution|danger|attention|important|tip|hint|info|information|see also|error|example|' +
    'hinweis|hinweise|warnung|vorsicht|achtung|gefahr|wichtig|tipp|anmerkung|siehe auch|beispiel|' +
    'remarque|avertissement|astuce|conseil|voir aussi|mise en garde|exemple|nota|advertencia|aviso|atención|consejo|' +
    'importante|véase también|ejemplo|avviso|attenzione|avvertenza|suggerimento|vedi anche|esempio|atenção|cuidado|dica|' +
    'veja também|opmerking|let op|waarschuwing|belangrijk|zie ook|uwaga|ostrzeżenie|wskazówka|ważne|zobacz też|' +
    'poznámka|varování|upozornění|důležité|tipy|примечание|внимание|предупреждение|важно|совет|см. также|' +
    '注意|注|警告|ヒント|重要|備考|提示|备注|说明'
  ).split('|'),
)

/** Whether a line is the heading of a box without its text: 'Note', 'Warnung:'. */
export function isBoxLabel(line: string): boolean {
  return boxLabels.has(
    line
      .toLowerCase()
      .replace(/[:：!.]+\s*$/, '')
      .trim(),
  )
}
