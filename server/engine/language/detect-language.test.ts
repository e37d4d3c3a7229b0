import { describe, expect, it } from 'vitest'
import { detectLanguage, proseTexts } from './detect-language'

describe('detectLanguage', () => {
  it.each([
    ['en', 'The lamp burns for as long as there is oil in it, and it should not be moved while it is hot.'],
    ['de', 'Die Lampe brennt, solange noch Öl in ihr ist, und sie sollte nicht bewegt werden, wenn sie heiß ist.'],
    [
      'fr',
      "La lampe brûle tant qu'il y a de l'huile dans le réservoir, et elle ne doit pas être déplacée avec les mains.",
    ],
    [
      'es',
      'La lámpara arde mientras hay aceite en el depósito y no se debe mover cuando está caliente, porque es peligroso.',
    ],
    [
      'it',
      "La lampada brucia finché c'è olio nel serbatoio e non si deve spostare quando è calda, perché può essere pericolosa.",
    ],
    [
      'pt',
      'A lâmpada arde enquanto há óleo no depósito e não deve ser movida quando está quente, porque isso é perigoso.',
    ],
    ['nl', 'De lamp brandt zolang er olie in het reservoir is en mag niet worden verplaatst als hij heet is.'],
    ['pl', 'Lampa pali się tak długo, jak jest w niej olej, i nie można jej przenosić, gdy jest gorąca.'],
    ['cs', 'Lampa hoří, dokud je v ní olej, a nesmí se přenášet, když je horká, protože to není bezpečné.'],
    [
      'sk',
      'Lampa horí, kým je v nej olej, a nesmie sa prenášať, ak je horúca, pretože to nie je bezpečné pre toho, kto ju má.',
    ],
    [
      'sv',
      'Lampan brinner så länge det finns olja i den och får inte flyttas när den är varm, för att det är farligt.',
    ],
    [
      'da',
      'Lampen brænder, så længe der er olie i den, og den må ikke flyttes, når den er varm, for så kan der ske noget med den, hvad man ikke vil af med igen.',
    ],
    [
      'nb',
      'Lampen brenner så lenge det er olje i den, og den må ikke flyttes når den er varm, for det er noe som blir farlig.',
    ],
    [
      'fi',
      'Lamppu palaa niin kauan kuin siinä on öljyä, eikä sitä saa siirtää, kun se on kuuma, koska se voi olla vaarallista.',
    ],
    [
      'hu',
      'A lámpa addig ég, amíg van benne olaj, és nem szabad mozgatni, ha forró, mert az már nagyon veszélyes lehet.',
    ],
    [
      'ro',
      'Lampa arde atât timp cât este ulei în rezervor și nu trebuie mutată când este fierbinte, pentru că poate fi periculos.',
    ],
    [
      'tr',
      'Lamba, içinde yağ olduğu sürece yanar ve sıcak olduğu için hareket ettirilmemelidir, çünkü bu çok tehlikeli bir iş.',
    ],
    ['ru', 'Лампа горит, пока в ней есть масло, и её нельзя переносить, когда она горячая, потому что это опасно.'],
    ['uk', 'Лампа горить, поки в ній є олія, і її не можна переносити, коли вона гаряча, тому що це небезпечно.'],
    [
      'bg',
      'Лампата гори, докато в нея има масло, и не бива да се мести, след като е гореща, защото това може да бъде опасно за тези, които са около нея.',
    ],
    ['el', 'Η λάμπα καίει όσο υπάρχει λάδι μέσα της.'],
    ['ar', 'المصباح يشتعل ما دام فيه زيت في الخزان ولا يجب أن ينقل من مكان إلى مكان وهو ساخن'],
    ['fa', 'چراغ تا زمانی که در آن روغن است می سوزد و نباید آن را از جایی به جایی برد'],
    ['he', 'המנורה דולקת כל עוד יש בה שמן'],
    ['hi', 'दीपक तब तक जलता है जब तक उस में तेल है और इस को गर्म होने पर नहीं हिलाना चाहिए'],
    ['th', 'ตะเกียงจะติดไฟตราบเท่าที่มีน้ำมัน'],
    ['ja', 'ランプは油がある間は燃え続けます。熱いときは動かさないでください。'],
    ['zh', '只要灯里有油，灯就会一直燃烧。灯很热的时候不要移动它。'],
    ['ko', '램프는 기름이 있는 동안 계속 탑니다.'],
  ])('%s', (language, text) => {
    expect(detectLanguage([text])).toBe(language)
  })

  it.each([
    ['nothing', ''],
    ['numbers', '12 14 2026-11-21 99.5 %'],
    ['names', 'Anna Bob Carla David Emil Frida Gustav Hanna Ida Jonas'],
    ['one line of a menu', 'Home Products Contact'],
    ['a product', 'Storm lamp 40 W, E27, 230 V'],
    ['text half in one script and half in another', 'лампа lampe лампа lampe'],
  ])('does not decide for %s', (_what, text) => {
    expect(detectLanguage([text])).toBe('')
  })

  it('is not misled by names and characters of other scripts', () => {
    const text =
      'Diese Lampe heißt auf Japanisch ランプ und auf Russisch лампа, und sie ist von der Firma, die sie auch verkauft.'
    expect(detectLanguage([text])).toBe('de')
    expect(detectLanguage(['请使用 npm install 安装 sitelore，然后打开浏览器访问页面。'])).toBe('zh')
  })

  it('examines only the start of a long text', () => {
    let taken = 0
    function* long() {
      for (; taken < 1_000_000; taken++) yield 'the lamp of the house is in it and '
    }
    expect(detectLanguage(long())).toBe('en')
    expect(taken).toBeLessThan(1_000)
  })
})

it('proseTexts omits code', () => {
  const anchor = null
  expect(
    proseTexts([
      { kind: 'paragraph', text: 'Die Lampe.', anchor },
      { kind: 'code', text: 'if the then', anchor },
    ]),
  ).toEqual(['Die Lampe.'])
})
