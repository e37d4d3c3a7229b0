/**
 * Stop words by language. They are removed from queries but not from the index: at a million fragments, they make
 * searches slow. They also serve to detect the language of a query.
 */
const english = `
a about above after again all also am an and any are as at be because been before being between both but by can cannot
could did do does doing don down during each few for from further get got had has have having he her here hers him his
how i if in into is it its itself just like let made make many may me might more most much must my no nor not of off on
once only or other our out over own per please same shall she should so some such tell than that the their them then
there these they this those through to too under until up upon us very was way we were what when where which while who
whom whose why will with within without would you your`

const others: Record<string, string> = {
  de: `aber alle als also am an auch auf aus bei beim bis da damit dann das dass dem den denn der des die dies diese
    diesem diesen dieser dieses doch dort durch ein eine einem einen einer eines er es etwas euch euer eure für gibt
    haben habt hat hatte ich ihr ihre im in ist ja kann kein keine können man mehr mein mit muss nach nicht noch nur
    oder ob ohne seid sein seine sich sie sind so über um und uns unter viel viele vom von vor war waren warum was
    welche welchem welchen welcher welches wenn wer werden wie wieviel wird wo wurde wurden zu zum zur`,
  pl: `aby ale albo bez był była było były być by co czego czy czyj czym dla do gdy gdzie go i ich ile im ja jak jaka
    jaki jakie jakiego jakiej jakich jakim jaką jako jego jej jest jeśli jesteście już kim kiedy kogo kto który która
    które którego której których którym którą ma macie mają ma mi może można na nad nie nich niego niej nim o od oraz
    państwo po pod podczas przed przez przy są się skąd tak także tego tej ten też to tych tym u w we więc z za ze że`,
  es: `a al algo ante así aunque como con cual cuál cuáles cuando cuándo cuanto cuánto cuántos cuántas de del desde
    donde dónde durante e el él ella ellos en entre era es esa ese eso esta está estáis están este esto estos fue
    fueron ha han hasta hay la las le les lo los más me mi mientras muy no nos o para pero por porque puede que qué
    quien quién quiénes se ser si sí sin sobre sois son su sus también tan te tenéis tiene tienen tuvo un una uno unos
    unas usted ustedes vosotros vuestra vuestro y ya`,
  fr: `à ai au aux avec avez avons ce ceci cela ces cet cette chez combien comme comment dans de depuis des donc dont
    du elle elles en est et étaient était êtes être eu fait ils il je la là le les leur leurs lors lui ma mais me même
    mes mon ne nos notre nous on ont ou où par pas pendant peut plus pour pourquoi qu quand que quel quelle quelles
    quels qui quoi sa sans se selon ses si sommes son sont sous sur ta te tes ton tu un une vos votre vous y`,
  it: `a abbiamo ad ai al alla alle anche avete che chi ci come con cosa cui da dal dalla dei del della delle di dove e
    ed è era erano fa fu gli ha hanno i il in io la le lo loro ma mentre mi molto ne nei nel nella non o per perché più
    può qual quale quali quando quanti quanto se senza si sia siamo siete sono su sua sue suo sul sulla tra un una uno
    voi vostra vostro`,
  pt: `a à ao aos as às até com como da das de dela dele do dos e é ela ele em entre era essa esse esta está estão este
    eu foi foram há isso isto já lhe mais mas me mesmo muito na não nas no nos o onde os ou para pela pelo por porque
    qual quais quando quanto que quem são se sem ser seu seus sua suas também tem têm um uma você vocês`,
  nl: `aan als bent bij dan dat de deze die dit door een en er had heb hebben hebt heeft het hij hoe hoeveel ik in is
    je jij jullie kan kunnen maar meer men met mijn na naar niet nog of om ook op over te tot uit uw van veel voor waar
    waarom wanneer waren was wat we welke werd wie wij worden wordt zich zij zijn zo`,
  cs: `a aby ale ani bez by byl byla bylo byly být co což do i ja jak jaká jaké jaký je jeho její jejich jen jsem jsme
    jsou jste k kde kdo kdy když která které který ma má máme máte mezi mi může na nad ne nebo není o od po pod podle
    pro proč protože před při s se si tak také tato tento to tom tu u v váš vaše ve však z za ze že`,
  sv: `alla att av de den det dig din där efter eller en ett från för han har hur här i inte jag kan man med men mer mig
    mycket när och om på sig sin ska som så till under upp ut vad var varför vem vid vilka vilken vilket är`,
  tr: `bir bu da daha de değil en gibi hangi hangisi hem için ile ise kaç kadar kim ki mi mı mu mü nasıl ne neden
    nerede nereye niçin o olan olarak oldu olduğu siz sizin sonra şu tarafından ve veya ya`,
  ro: `a al ale am ar au aveți ca care când cât câte câți ce cel cele cine cu cum de despre din după dar el ea ei este
    era fi fost în înainte la mai nu o pe pentru prin sa să sau se sunt și sunteți țn un unde unei unui unor voi`,
  ru: `а без был была были было быть в вам вас ваш ваша ваше ваши весь во вот все всё вы где да для до его ее её если
    есть еще ещё же за и из или им их к как какая какие какой каких каким каком когда который которая которые кого кто
    ли между мне может мы на над не него нее неё нет ни них но о об один он она они оно от по под после почему при про
    с свои сколько со так также такой там то тоже только том ты у уже чего чем что чтобы эта эти это этот я`,
  uk: `а або без був була були було в ваш ваша ваше ваші ви від вони для до де є за з і й із його її їх коли який яка
    яке які як на над не ні о по при про та також те ти то у хто це цей чи чому що щоб я`,
  el: `από για δεν είναι είστε έχετε η ήταν και κατά με μετά μια να ο οι όταν που ποια ποιο ποιος ποιοι πόσα πόσες
    πόσοι πότε πού πώς σας σε στα στη στην στις στο στον στους τα τη την της τι τις το τον του τους των ως`,
}

const split = (text: string) => text.trim().split(/\s+/)

/** Distinct words by language. */
export const stopWords: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ en: english, ...others }).map(([language, words]) => [language, split(words)]),
)

/** Words that a question starts with. Those of the languages in `function-words.ts` are its stop words, too. */
export const questionWords: Record<string, string> = {
  en: 'how what when where which who whom whose why can do does is are',
  de: 'was welche welcher welches wann warum wer wie wieso wo woher wohin kann ist sind gibt',
  pl: 'co czy gdzie ile jak jaka jaki jakie kiedy kogo komu kto która które który czym skąd dlaczego',
  es: 'qué que quién quien quiénes cuál cuáles cuándo cuánto cuántos cuántas cómo como dónde donde por',
  fr: 'combien comment où pourquoi quand que quel quelle quelles quels qui quoi est',
  it: 'che chi come cosa dove perché quale quali quando quanti quanto',
  pt: 'como onde porque por qual quais quando quanto quantos que quem',
  nl: 'hoe hoeveel waar waarom wanneer wat welke wie kan is',
  cs: 'co jak jaká jaké jaký kde kdo kdy která které který kolik proč',
  sv: 'hur när vad var varför vem vilka vilken vilket är',
  tr: 'hangi hangisi kaç kim nasıl ne neden nerede nereye niçin',
  ro: 'care când cât câte câți ce cine cum unde',
  ru: 'где зачем как какая какие какой когда кто почему сколько что чем',
  uk: 'де коли хто чому що як яка яке які який скільки',
  el: 'πού πώς πότε ποια ποιο ποιος ποιοι πόσα πόσες πόσοι τι γιατί',
  da: 'hvad hvem hvilken hvilket hvilke hvor hvordan hvorfor hvornår kan mange meget',
  nb: 'hva hvem hvilken hvilket hvilke hvor hvordan hvorfor når kan mange mye',
  fi: 'mikä mitä mitkä missä mistä mihin miten miksi milloin kuka kuinka monta paljon voi voiko onko',
  hu: 'mi mit mik milyen melyik mennyi hány hol hová hogyan hogy miért mikor ki kit lehet van',
  hr: 'što šta koji koja koje gdje kamo kako zašto kada kad tko ko koliko može',
  sk: 'čo aký aká aké ktorý kde kam ako prečo kedy kto koľko môžem',
  sl: 'kaj kateri katera kje kam kako zakaj kdaj kdo koliko lahko',
  ca: 'què qui quin quina quins quines on com quan quant quants per què',
  et: 'mis kes kus kuhu kuidas miks millal kui palju milline',
  lv: 'kas kurš kura kur kā kāpēc kad cik kāds kāda',
  lt: 'kas kuris kuri kur kaip kodėl kada kiek koks kokia',
  bg: 'какво какъв каква какви кой коя кое кои къде как защо кога колко',
  sr: 'шта што који која које где како зашто када ко колико',
  mk: 'што кој која кое кои каде како зошто кога колку',
  be: 'што хто які якая якое дзе куды як чаму калі колькі',
  id: 'apa siapa mana di bagaimana mengapa kapan berapa apakah',
  vi: 'gì ai nào đâu sao tại khi bao nhiêu thế',
  ar: 'ما ماذا من أين كيف لماذا متى كم أي أية هل',
  fa: 'چه چی کی کجا چگونه چطور چرا چند کدام آیا',
  ur: 'کیا کون کہاں کیسے کیوں کب کتنے',
  hi: 'क्या कौन कहाँ कैसे क्यों कब कितने कितना',
}

const anyQuestionWord = new Set(Object.values(questionWords).flatMap((words) => split(words.toLowerCase())))

/** Whether questions of any language start with the word. */
export function isQuestionWord(word: string): boolean {
  return anyQuestionWord.has(word.toLowerCase())
}
