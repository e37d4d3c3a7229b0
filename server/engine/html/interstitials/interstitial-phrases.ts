/**
 * Phrases of pages that are shown instead of content, in the languages of most sites. They are tested on titles,
 * headings and buttons, or on pages of few words.
 */

const anyOf = (...phrases: string[]) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${phrases.join('|')})`, 'iu')
const onlyOneOf = (...phrases: string[]) =>
  new RegExp(`^[^\\p{L}\\p{N}]*(?:${phrases.join('|')})[^\\p{L}\\p{N}]*$`, 'iu')

/** The title of a sign-in form, or its button. */
export const signInPhrases = anyOf(
  'log[ -]?[io]n(?!\\p{L})|sign[ -]?in(?!\\p{L})',
  'anmeld(?:en|ung)(?!\\p{L})|einloggen',
  "connexion(?!\\p{L})|se connecter|connectez|identifi(?:ez|cation)|s['’]identifier",
  'inici(?:ar|a|e) (?:la )?sesi[oó]n|acceder|acceso|ingresar',
  'zaloguj|logowanie',
  'acced(?:i|ere)(?!\\p{L})|accesso',
  'inici(?:ar|e) sess[aã]o|entrar(?!\\p{L})|fazer login',
  'inloggen|aanmelden',
  'logga in|log ind|logg inn|kirjaudu|p[rř]ihl[aá][sš]',
  'войти|вход(?!\\p{L})|авторизац|увійти',
  'giri[sş] yap|bejelentkez',
  'ログイン|登录|登入|로그인',
)

/** Terms of requests for consent. */
export const consentTerms =
  /(?<!\p{L})(?:cookies?(?!\p{L})|einwillig|zustimm|datenschutz|consent|vie privée|traceurs|consentimiento|privacidad|ciasteczk|plik(?:i|ów|ach) cookie|zgod[aęy]|prywatno|consenso|riservatezza|consentimento|privacidade|toestemming|privacy|personal data|personenbezogen|données personnelles|datos personales|dan(?:e|ych) osobow|dati personali|dados pessoais|persoonsgegevens|our partners|unsere partner|nos partenaires|nuestros socios|partner(?:zy|ami|ów)|nostri partner|parceiros|onze partners|tracking|werbung|advertis|publicité)/giu

/** A button that gives consent. */
export const acceptPhrases = anyOf(
  'accept|agree|allow all|got it|i consent',
  'akzeptier|zustimm|einverstanden|alle erlauben|annehmen',
  "accepter|j['’]accepte|tout autoriser|d['’]accord",
  'acept(?:ar|o)|estoy de acuerdo|permitir',
  'akcept|zgadzam|wyrażam zgodę|przejdź do serwisu',
  'accett|acconsent|consenti',
  'aceit(?:ar|o)|concord',
  'accepteer|akkoord|alles toestaan|toestaan',
)

const pageNames =
  'page|site|document|content|article|seite|inhalt|página|pagina|contenido|strona|strony|zasób|contenuto|conteúdo|inhoud|side|siden|sidan|sivua|stránka|stránku|oldal|sayfa|страница|сторінка'
const absences = [
  "(?:was |were |is |could |can)?(?:not|n['’]t|cannot)(?: be)? (?:found|exist|available|located)",
  "(?:does|did)(?: not|n['’]t) (?:seem to )?exist|no longer (?:exists|available|here)|is (?:gone|missing|unavailable)|isn['’]t (?:available|here)|has (?:been )?(?:moved|removed|deleted|expired)|can['’]t be found|couldn['’]t be found|wasn['’]t found",
  'nicht gefunden|existiert (?:leider )?nicht|nicht (?:mehr )?(?:verfügbar|vorhanden|gefunden)|gibt es (?:leider )?nicht|wurde (?:leider )?nicht gefunden|konnte (?:leider )?nicht gefunden werden|ist (?:leider )?nicht (?:mehr )?(?:verfügbar|vorhanden|erreichbar)',
  "introuvable|non trouvée?|n['’]existe pas|n['’]existe plus|n['’]a pas (?:été|pu être) trouvée?|n['’]est plus disponible",
  'no (?:se ha |fue |ha sido )?encontrad[ao]|no existe|no (?:está )?disponible|no se encuentra|no se (?:ha podido encontrar|encontró)',
  'nie (?:została )?znalezion[aoy]|nie istnieje|nie odnaleziono',
  'non (?:è stata )?trovat[ao]|non esiste|inesistente|non (?:è )?(?:più )?disponibile',
  'não (?:foi )?encontrad[ao]|não existe|inexistente|não (?:está )?disponível',
  '(?:kan )?niet (?:worden )?gevonden|bestaat niet(?: meer)?|niet (?:meer )?beschikbaar',
  'ikke fundet|blev ikke fundet|hittades inte|finns inte|ble ikke funnet|ei löytynyt|(?:nebyla )?nenalezena|neexistuje|nem található|bulunamadı|не найдена|не существует|не знайдено',
].join('|')
const opening =
  "(?:oops|ooops|whoops|sorry|hmm+|uh[ -]?oh|we['’]re sorry|ups|hoppla|huch|leider|entschuldigung|désolée?|oups|lo sentimos|vaya|przepraszamy|niestety|spiacenti|ops|siamo spiacenti|desculpe|helaas)"
const error = '(?:(?:http )?(?:error|fehler|erreur|błąd|errore|erro|fout)?\\s*(?:code\\s*)?404(?: error| fehler)?)'
const article =
  '(?:the |this |that |your |requested |angeforderte |diese |die |la |cette |esta |ta |żądana |questa |a |esta |deze |de )*'
const trailing = '(?:[^\\p{L}\\p{N}]+[^.!?]{0,40})?'

/** A title or heading that says that the page does not exist, and nothing else. */
export const notFoundPhrases = onlyOneOf(
  `(?:${opening}[^\\p{L}\\p{N}]+)?(?:${error}[^\\p{L}\\p{N}]*)?${article}(?:${pageNames})(?: (?:you(?:['’]re| are| were)? (?:looking for|requested|trying to \\p{L}+)|die sie suchen|que (?:vous )?(?:recherchez|cherchez|buscas?|busca|cerchi|procura)|której szukasz|die u zoekt))?[, ]+(?:${absences})(?:[^\\p{L}\\p{N}]+${error})?`,
  `(?:${error}[^\\p{L}\\p{N}]*)?(?:(?:nie znaleziono|no (?:se ha encontrado|encontramos|existe)(?: la| esta)?|non trovata|nincs ilyen) (?:${pageNames})|no such page|(?:file |object )?not found|nicht gefunden|introuvable)(?:[^\\p{L}\\p{N}]+${error})?`,
  `(?:${opening}[^\\p{L}\\p{N}]+)?(?:we (?:can['’]t|couldn['’]t|cannot|could not) (?:seem to )?find (?:that|the|this|your) page${trailing}|nothing (?:was )?found here|nothing here)`,
  error,
  'ページが見つかりません(?:でした)?|页面(?:不存在|未找到)|找不到(?:页面|頁面)|페이지를 찾을 수 없습니다',
)

/** Terms of texts about status codes. */
export const statusCodeTerms =
  /(?<!\p{L})(?:http|status[ -]?codes?|statuscodes?|origin server|response|user agent|code d['’]état|código de estado|kod(?:y)? (?:odpowiedzi|stanu)|codice di stato|código de status|antwort(?:code)?)(?!\p{L})/iu

/** Asks the reader to enable JavaScript. */
export const javaScriptPhrases =
  /(?:enable|activate|turn on|requires?|needs?|without|aktivier\w*|einschalten|benötigt|ohne|activ\w+|activez|habilit\w+|włącz\w*|wymaga\w*|abilita\w*|attiva\w*|ative|schakel\w*|vereist|zonder)[^.]{0,60}java\s?script|java\s?script[^.]{0,60}(?:enabled?|disabled|required|needed|turned o|switched o|aktivier|deaktivier|eingeschaltet|erforderlich|benötigt|activ|désactiv|nécessaire|habilit|deshabilit|włącz|wyłącz|wymagan|abilita|disabilit|necessari|ativ|desativ|ingeschakeld|uitgeschakeld|nodig|vereist)/iu

/** Says that the page leads elsewhere, or names the link to that place. */
export const forwardPhrases = anyOf(
  'redirect|forwarding|click here|(?:this|the|following) link|(?:has|have|is|was) (?:been )?moved|please wait|loading|continue to',
  'weitergeleitet|weiterleitung|klicken sie|hier klicken|umgezogen|bitte warten',
  'redirection|redirig|cliquez|patientez',
  'redirecci|redirigi|haga clic|espere',
  'przekierow|kliknij|proszę czekać',
  'reindirizz|clicca|attendere',
  'redirecion|clique|aguarde',
  'doorgestuurd|doorverwe|klik hier',
  'omdiriger|viderestill|přesměrov|átirány|yönlendir|перенаправ|нажмите',
  'リダイレクト|転送|跳转|重定向|이동',
)
