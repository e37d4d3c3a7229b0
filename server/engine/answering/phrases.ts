/** What an agent says without a model, in one language. */
export interface Phrases {
  greetings: string[]
  thanks: string[]
  /** Words that may accompany thanks. */
  fillers: string[]
  greetingReply: string
  thanksReply: string
  nothingFound: string
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
    nothingFound: "I couldn't find anything about this.",
    nearestPages: 'These pages might help:',
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
    nothingFound: 'Dazu habe ich nichts gefunden.',
    nearestPages: 'Diese Seiten könnten helfen:',
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
    nothingFound: 'No he encontrado nada sobre esto.',
    nearestPages: 'Estas páginas pueden ayudarle:',
  },
  fr: {
    greetings: ['bonjour', 'bonsoir', 'salut', 'coucou', 'ça va', 'comment allez vous', 'comment vas tu'],
    thanks: ['merci', 'merci beaucoup', 'merci bien', 'mille mercis', 'un grand merci'],
    fillers: ["d'accord", 'parfait', 'super', 'oui'],
    greetingReply: 'Bonjour ! Que souhaitez-vous savoir ?',
    thanksReply: "Je vous en prie ! N'hésitez pas à poser d'autres questions.",
    nothingFound: "Je n'ai rien trouvé à ce sujet.",
    nearestPages: 'Ces pages pourraient vous aider :',
  },
  pl: {
    greetings: ['cześć', 'hej', 'dzień dobry', 'dobry wieczór', 'witam', 'witaj', 'siema', 'jak się masz'],
    thanks: ['dziękuję', 'dziękuję bardzo', 'bardzo dziękuję', 'dzięki', 'wielkie dzięki', 'dzięki wielkie'],
    fillers: ['super', 'świetnie', 'dobrze'],
    greetingReply: 'Dzień dobry! Czego chcesz się dowiedzieć?',
    thanksReply: 'Nie ma za co! Jeśli masz więcej pytań, pytaj śmiało.',
    nothingFound: 'Nie udało mi się znaleźć nic na ten temat.',
    nearestPages: 'Te strony mogą pomóc:',
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
    nothingFound: 'Ничего об этом найти не удалось.',
    nearestPages: 'Возможно, помогут эти страницы:',
  },
}

export const phraseLanguages = Object.keys(phrases) as PhraseLanguage[]

export function isPhraseLanguage(language: string): language is PhraseLanguage {
  return language in phrases
}
