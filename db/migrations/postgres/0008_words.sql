CREATE TABLE "words_missing" (
	"key" bigint PRIMARY KEY NOT NULL
);
