/** The ten sections of the Terms of Service. */
export const terms: { title: string; text: string[] }[] = [
  {
    title: 'About these terms',
    text: [
      'These terms apply to everyone who uses the service: visitors, people with an account, and the organizations for which they act.',
      'By creating an account you accept these terms. If you act for an organization, you confirm that you may accept them on its behalf.',
    ],
  },
  {
    title: 'The service',
    text: [
      'The service reads the website content and the files that you name, cuts them into fragments, and builds a vector database from them. You can search this database, create AI agents that answer from it, and put those agents on your own website.',
      'What an agent answers is made by a language model from your content. It may be incomplete or wrong. Check what matters before you rely on it.',
    ],
  },
  {
    title: 'Your account',
    text: [
      'You need an account to use the service. Give correct details, keep your means of signing in to yourself, and tell us at once if you believe that somebody else uses your account.',
      'An organization’s administrators decide who belongs to it and what its members may do.',
    ],
  },
  {
    title: 'Access by API',
    text: [
      'The service can be used through an API with the keys that you create. You answer for what is done with your keys. Keep private keys secret and replace a key that may have become known.',
      'We limit the number of requests in a period, and the plan of your organization limits its content, crawls and messages. Requests over a limit are refused.',
    ],
  },
  {
    title: 'Your obligations',
    text: [
      'Add only content that you own or may use in this way, and only websites that you may have crawled. You keep all rights to your content.',
      'Do not use the service to break the law, to harm others, to spread malicious software, to overload this or any other system, or to get around its limits and protections.',
      'If you use a model provider through your own key, that provider’s terms apply to you as well.',
    ],
  },
  {
    title: 'Prices and payment',
    text: [
      'A free plan is available. Paid plans are billed in advance, by card or through a payment gateway, at the prices shown when you order.',
      'Delivery of a paid plan starts when the payment is confirmed. You agree that it starts at once; from then on the payment is not refundable, unless the law says otherwise.',
    ],
  },
  {
    title: 'Complaints',
    text: [
      'If something does not work as it should, send us a complaint. Say what happened, when, and what you expect.',
      'We answer complaints within 30 days of receiving them.',
    ],
  },
  {
    title: 'Personal data',
    text: [
      'We process the data of your account to provide the service, to bill it and to keep it safe. You can ask to see, correct or delete it.',
      'The content that you add and the conversations with your agents are processed on your behalf. If they hold personal data, you are responsible for having a lawful reason to process it.',
      'Questions to an agent, together with the fragments needed to answer them, are sent to the model provider that you choose.',
    ],
  },
  {
    title: 'Availability, liability and ending',
    text: [
      'We work to keep the service available but do not promise that it is free of interruptions or errors. As far as the law allows, we are not liable for indirect loss, lost profit or lost data.',
      'You can stop using the service and delete your data at any time. We may suspend or close an account that breaks these terms.',
    ],
  },
  {
    title: 'Law and changes',
    text: [
      'These terms are governed by Polish law. Disputes go to the competent court in Poland; the rights that the law of your own country gives you as a consumer stay untouched.',
      'We may change these terms for good reasons. We announce changes in the service before they apply. Who keeps using the service afterwards accepts them.',
    ],
  },
]
