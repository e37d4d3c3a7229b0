/**
 * The most frequent function words of languages that `stop-words.ts` does not cover, which distinguish related
 * languages: without its own list, Danish would be detected as Swedish. Compiled from the pronouns, prepositions,
 * conjunctions and forms of 'to be' in grammars. About forty are enough, since every third or fourth word of a text is a
 * function word.
 */
export const functionWords: Record<string, string> = {
  da: `af at blev da de den der det dig efter eller en er et for fra før ham han har hun hvad hvor hvordan ikke jeg kan
    kun man med men mere mod nogle når og også om op over på sig sin skal som så til ud under var ved vi vil være`,
  nb: `av at ble blir bare da de den det deg du eller en enn er et etter for fra før ha han har hun hva hvis hvor hvordan
    ikke jeg kan man med men mer mot noen når nå og også om opp over på seg sin skal som så til under ut var ved vi vil
    være`,
  fi: `ei eivät että hän he ja jo joka joita jonka jos jotka kanssa kuin kun kuten me mikä missä minä mukaan mutta myös ne
    niin nyt oli olivat olla ollut on ovat se sekä sen siitä sinä sitä tai tämä tämän te vain vielä voi voidaan ennen
    jälkeen`,
  hu: `a az és hogy nem is egy de ez azt már csak volt ha meg van vagy el még mint ki be aki ami amely után által lesz
    lehet minden sem kell között ezt így pedig majd nagyon több valamint illetve szerint`,
  hr: `ali bi bio biti da do dok duž i ili iz ima je jer još kako kao koja koje koji kod li može na nakon ne nego nije o od
    ovaj po pod pri prije sa samo se su što ta tako te to u uz već više za`,
  sk: `a aby aj ako ale alebo bez bol bola boli bolo by byť čo do ho i ich ja je jeho jej k kde kto ktorá ktoré ktorí
    ktorý ma mať medzi mi môže na nad nie o od po pod podľa pre pred pri sa si som sú tak tento to toto u už v vo však z
    za zo že`,
  sl: `ali bi bil bila bilo biti da do ga in iz ja je jih kaj kako ki ko kot le lahko med na ne ni ob od pa po pod pred pri
    s sem se si so ta tako te to tudi v več za z že`,
  ca: `a al als amb aquest aquesta com de del dels des el ella els en entre era es està fer ha han hi i la les li més molt
    no o on per perquè però pot què que quan sense ser seu seva si són sobre també té un una us va van`,
  et: `aga ei ega et ja ka kas kes kui kuid ma me mis ning nii oleks oli olid on ole oma pole saab see seda selle siis ta
    te tema välja või väga üle`,
  lv: `ar arī bet bez bija bijis būs gan ir ja jau ka kā kas kad kur kurš kura lai līdz ne nav no pa par pēc pie pret tad
    tas tā to tiek un uz vai var viņa viņš`,
  lt: `apie ar arba bei bet buvo būti dėl iki ir iš į jau jis ji jo jos jų kad kai kaip kas kur kuri kuris ne nėra nes nuo
    o pagal per po prie su tai taip tik už yra`,
  bg: `а без беше бъде в във все да до за и из или има как като кога което който която които към ли между може на над не
    него но от по под при са само се след със си така тази този това тя той те че ще`,
  sr: `а али би био бити да до за и или из има је јер још како као која које који код може на након није о од по под пре са
    само се су што та тако то у уз већ више`,
  mk: `а беше би бил во да до е за и или како која кое кој кои ќе ли може на не од по под само се со сите што тоа тој таа`,
  be: `а але і ад бы быў была было быць ён яна яны гэта для да за з калі каб на не па пра пры са таксама то у ў што як які
    якая якія`,
  id: `ada adalah akan atau bahwa bisa dalam dan dapat dari dengan di hanya ini itu jika juga karena ke kepada lebih oleh
    pada para saat sebagai secara seperti sudah telah tetapi tidak untuk yang`,
  vi: `bị cho chỉ có các cũng của đã đang đây đến để đó được họ hoặc không khi là lại làm mà mỗi một năm này nên người như
    những nếu ở phải ra rằng sau sẽ sự tại theo thì tôi trên trong từ và vào về vì với`,
  ar: `في من على إلى أن إن عن مع هذا هذه التي الذي كان كانت لا ما هو هي بعد قبل بين كما لم أو ثم قد كل عند حتى
    الذين اللذين اللتين اللاتي والذي والتي والذين له لها لهم به بها بهم فيه فيها فيهم منه منها عنه عنها عليه عليها إليه إليها بأي لأي
    يكون تكون يمكن تم يتم ليس ليست هناك عند حيث بينما خلال ذا ذات`,
  fa: `و در به از که این را با است برای آن یک خود تا بر شد شده می هم نیز یا اما ها او وی کرد بود`,
  ur: `کے کی میں ہے اور سے کا کو نے پر ہیں یہ وہ اس تھا بھی جو کہ ایک ہو کر تھے`,
  hi: `के में है की और से का को पर यह हैं भी ने एक कि जो था इस हो कर लिए गया थी तक`,
  mr: `आहे आणि या मध्ये ते हे व तो होते की ही एक आहेत साठी त्या पण होता किंवा`,
  ne: `छ को मा र हो पनि छन् गर्न लागि यो भएको थियो गरेको ले बाट`,
}
