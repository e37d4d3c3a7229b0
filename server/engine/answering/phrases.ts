/** What an agent says without a model, in one language. */
export interface Phrases {
  greetings: string[]
  thanks: string[]
  /** Words that may accompany thanks. */
  fillers: string[]
  greetingReply: string
  thanksReply: string
  /** `query` is quoted Markdown. */
  nothingFound(query: string): string
  nearestPages: string
}

export type PhraseLanguage = 'en' | 'de' | 'es' | 'fr' | 'pl' | 'ru'

/** Phrases are in lower case. */
export const phrases: Record<PhraseLanguage, Phrases> = {
  en: {
    greetings: [
      'hi',
      'hi there',
      'hello',
      'hello there',
      'hey',
      'hey there',
      'good morning',
      'good afternoon',
      'good evening',
      'good day',
      'greetings',
      'how are you',
    ],
    thanks: [
      'thanks',
      'thanks a lot',
      'thanks so much',
      'thank you',
      'thank you so much',
      'thank you very much',
      'many thanks',
      'thx',
    ],
    fillers: ['ok', 'okay', 'great', 'perfect', 'cool', 'good', 'yes'],
    greetingReply: 'Hello! What would you like to know?',
    thanksReply: "You're welcome! Let me know if you have more questions.",
    nothingFound: (query) => `I couldn't find an answer to this. I searched for “${query}”.`,
    nearestPages: 'These pages are the closest matches:',
  },
  de: {
    greetings: [
      'hallo',
      'hallo zusammen',
      'guten tag',
      'guten morgen',
      'guten abend',
      'moin',
      'servus',
      'grüß gott',
      'grüezi',
      'wie geht es dir',
      'wie geht es ihnen',
      "wie geht's",
      'wie gehts',
    ],
    thanks: [
      'danke',
      'danke schön',
      'dankeschön',
      'danke sehr',
      'vielen dank',
      'vielen lieben dank',
      'besten dank',
      'herzlichen dank',
    ],
    fillers: ['super', 'prima', 'toll', 'gut', 'ja', 'alles klar'],
    greetingReply: 'Hallo! Was möchten Sie wissen?',
    thanksReply: 'Gern geschehen! Wenn Sie noch etwas wissen möchten, fragen Sie einfach.',
    nothingFound: (query) => `Dazu habe ich keine Antwort gefunden. Gesucht habe ich nach „${query}“.`,
    nearestPages: 'Diese Seiten passen am ehesten dazu:',
  },
  es: {
    greetings: [
      'hola',
      'buenos días',
      'buenas tardes',
      'buenas noches',
      'buenas',
      'qué tal',
      'cómo estás',
      'cómo está',
      'saludos',
    ],
    thanks: ['gracias', 'muchas gracias', 'mil gracias', 'muchísimas gracias'],
    fillers: ['vale', 'perfecto', 'genial', 'muy bien'],
    greetingReply: '¡Hola! ¿Qué le gustaría saber?',
    thanksReply: '¡De nada! Si tiene más preguntas, aquí estoy.',
    nothingFound: (query) => `No he encontrado ninguna respuesta. He buscado «${query}».`,
    nearestPages: 'Estas son las páginas que más se aproximan:',
  },
  fr: {
    greetings: ['bonjour', 'bonsoir', 'salut', 'coucou', 'ça va', 'comment allez vous', 'comment vas tu'],
    thanks: ['merci', 'merci beaucoup', 'merci bien', 'mille mercis', 'un grand merci'],
    fillers: ["d'accord", 'parfait', 'super', 'oui'],
    greetingReply: 'Bonjour ! Que souhaitez-vous savoir ?',
    thanksReply: "Je vous en prie ! N'hésitez pas à poser d'autres questions.",
    nothingFound: (query) => `Je n'ai pas trouvé de réponse à cette question. J'ai cherché « ${query} ».`,
    nearestPages: "Voici les pages qui s'en rapprochent le plus :",
  },
  pl: {
    greetings: ['cześć', 'hej', 'dzień dobry', 'dobry wieczór', 'witam', 'witaj', 'siema', 'jak się masz'],
    thanks: ['dziękuję', 'dziękuję bardzo', 'bardzo dziękuję', 'dzięki', 'wielkie dzięki', 'dzięki wielkie'],
    fillers: ['super', 'świetnie', 'dobrze'],
    greetingReply: 'Dzień dobry! Czego chcesz się dowiedzieć?',
    thanksReply: 'Nie ma za co! Jeśli masz więcej pytań, pytaj śmiało.',
    nothingFound: (query) => `Nie udało mi się znaleźć odpowiedzi. Szukane hasło: „${query}”.`,
    nearestPages: 'Najbardziej zbliżone strony:',
  },
  ru: {
    greetings: [
      'привет',
      'здравствуйте',
      'здравствуй',
      'добрый день',
      'доброе утро',
      'добрый вечер',
      'как дела',
      'приветствую',
    ],
    thanks: ['спасибо', 'спасибо большое', 'большое спасибо', 'огромное спасибо', 'благодарю'],
    fillers: ['отлично', 'хорошо', 'да'],
    greetingReply: 'Здравствуйте! Что бы вы хотели узнать?',
    thanksReply: 'Пожалуйста! Если появятся вопросы, спрашивайте.',
    nothingFound: (query) => `Ответ на этот вопрос найти не удалось. Поисковый запрос: «${query}».`,
    nearestPages: 'Ближе всего к вопросу эти страницы:',
  },
}

export const phraseLanguages = Object.keys(phrases) as PhraseLanguage[]

export function isPhraseLanguage(language: string): language is PhraseLanguage {
  return language in phrases
}
